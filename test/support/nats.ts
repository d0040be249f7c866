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
  /** At the same URL, with the same keys. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface TestBus {
  keys: BusKeys;
  prefix: string;
  configuration: string;
}

const directoryPlaceholder = '/the/directory';

/** Keys and configuration for every test file's own server; making them takes seconds. */
export async function createTestBus(): Promise<TestBus> {
  const keys = createBusKeys();
  const prefix = 'gantry';
  return { keys, prefix, configuration: await serverConfiguration(keys, prefix, directoryPlaceholder) };
}

/** With `isOpen` the server checks no credentials. */
export async function startTestNats({ isOpen = false } = {}): Promise<TestNats> {
  const { GANTRY_TEST_NATS_SERVER: serverBin, GANTRY_TEST_BUS: bus } = process.env;
  if (serverBin === undefined || bus === undefined) throw new Error('the tests run under jest.config.js');
  const dataDir = await mkdtemp(join(tmpdir(), 'gantry-nats-'));
  const { keys, prefix, configuration: draft } = JSON.parse(bus) as TestBus;
  const configuration = isOpen ? '' : draft.replace(directoryPlaceholder, join(dataDir, 'jwt'));
  const start = () =>
    startEmbeddedNats({
      dataDir,
      cacheDir: dataDir,
      configuration,
      serverBin,
      log: pino({ level: 'silent' }),
    });
  let nats = await start();
  return {
    url: nats.url,
    keys,
    prefix,
    restart: async () => {
      await nats.stop();
      nats = await start();
    },
    stop: async () => {
      await nats.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
