// PostgreSQL and nats-server for one benchmark, removed afterwards.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../src/config/index.ts';
import { obtainInfrastructure, type Infrastructure } from '../../src/embedded/infrastructure.ts';

export interface BenchEnvironment extends Infrastructure {
  /** The settings of a child process that uses these services, as one JSON text. */
  settings: string;
}

export async function openEnvironment(): Promise<BenchEnvironment> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gantry-bench-'));
  const log = pino({ level: 'error' });
  const { HOME, PATH, XDG_CACHE_HOME, NATS_SERVER_BIN } = process.env;
  const config = readConfig({ HOME, PATH, XDG_CACHE_HOME, NATS_SERVER_BIN, GANTRY_DATA_DIR: dataDir });
  const infrastructure = await obtainInfrastructure(config, log);
  const { databaseUrl, bus, jwtSecret } = infrastructure;
  return {
    ...infrastructure,
    settings: JSON.stringify({ databaseUrl, bus, jwtSecret }),
    stop: async () => {
      await infrastructure.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
