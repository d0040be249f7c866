// Prints which nats-server is found with the PATH of this process; jest gives its tests no PATH of their own.
import { pino } from 'pino';
import { findNatsServer } from '../../../src/embedded/nats-binary.ts';

const [cacheDir = '', serverBin] = process.argv.slice(2);
const options = {
  cacheDir,
  log: pino({ level: 'silent' }),
  ...(serverBin === undefined ? {} : { serverBin }),
};
const response = await findNatsServer(options).catch((error: unknown) => `failed: ${String(error)}`);
process.stdout.write(response);
