// The configuration with which your own nats-server trusts this platform's keys; creates the keys if there are none.
import { join } from 'node:path';
import { serverConfiguration } from '../bus/keys.ts';
import type { Config } from '../config/index.ts';
import { obtainBusKeys } from '../embedded/infrastructure.ts';

export async function natsConfiguration(config: Config, resolver?: string): Promise<string> {
  const directory = resolver ?? join(config.dataDir, 'nats', 'jwt');
  return serverConfiguration(await obtainBusKeys(config), config.nats.prefix, directory);
}
