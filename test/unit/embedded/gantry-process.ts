// A separate process that opens a data directory and, when given a nats-server, starts both services: to be
// killed.
import { pino } from 'pino';
import { openDataDirectory } from '../../../src/embedded/data-directory.ts';
import { startEmbeddedNats } from '../../../src/embedded/nats.ts';
import { startEmbeddedPostgres } from '../../../src/embedded/postgres.ts';

const [path = '', serverBin] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);

try {
  const { path: dataDir } = await openDataDirectory(path);
  if (serverBin === undefined) {
    say({ opened: true });
  } else {
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    const nats = await startEmbeddedNats({ dataDir, configuration: '', serverBin, log });
    say({ postgres: postgres.url, nats: nats.url });
  }
  setInterval(() => undefined, 60_000);
} catch (error) {
  say({ failure: error instanceof Error ? error.message : String(error) });
}
