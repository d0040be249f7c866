// A nats-server of its own for a test file, with the platform's own configuration.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createBusKeys, serverConfiguration, type BusKeys } from '../../src/bus/keys.ts';
import { startEmbeddedNats } from '../../src/embedded/nats.ts';

export interface TestNats {
  url: string;
  keys: BusKeys;
  prefix: string;
  stop(): Promise<void>;
}

export async function startTestNats(): Promise<TestNats> {
  const serverBin = process.env['GANTRY_TEST_NATS_SERVER'];
  if (serverBin === undefined) throw new Error('the tests run under jest.config.js');
  const dataDir = await mkdtemp(join(tmpdir(), 'gantry-nats-'));
  const keys = createBusKeys();
  const prefix = 'gantry';
  const configuration = await serverConfiguration(keys, prefix, join(dataDir, 'jwt'));
  const nats = await startEmbeddedNats({
    dataDir,
    cacheDir: dataDir,
    configuration,
    serverBin,
    log: pino({ level: 'silent' }),
  });
  return {
    url: nats.url,
    keys,
    prefix,
    stop: async () => {
      await nats.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
