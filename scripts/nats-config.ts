// Prints the configuration for your own nats-server to trust this platform's keys; creates the keys if
// needed.
import { join } from 'node:path';
import { readConfig } from '../src/config/index.ts';
import { serverConfiguration } from '../src/bus/keys.ts';
import { obtainBusKeys } from '../src/embedded/infrastructure.ts';

const config = readConfig({ ...process.env, DATABASE_URL: '' });
const keys = await obtainBusKeys(config);
process.stdout.write(
  await serverConfiguration(keys, config.nats.prefix, process.argv[2] ?? join(config.dataDir, 'nats', 'jwt')),
);
