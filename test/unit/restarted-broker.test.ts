// A broker of a cluster that was down while keys were revoked: it must not let their holders in when it is back.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, jwtAuthenticator } from '@nats-io/transport-node';
import { pino } from 'pino';
import { AgentCredentials } from '../../src/bus/agent-credentials.ts';
import { BrokerWatch } from '../../src/bus/broker-watch.ts';
import { createBusKeys, serverConfiguration, type BusKeys } from '../../src/bus/keys.ts';
import { startEmbeddedNats, type EmbeddedNats } from '../../src/embedded/nats.ts';
import { freePort } from '../support/free-port.ts';
import { natsServer } from './embedded/scratch.ts';
import { until } from '../support/until.ts';
import { createUserKey } from '../../shared/nkeys.ts';

const log = pino({ level: 'silent' });
const prefix = 'gantry';
/** Without help a broker asks the others every two minutes. */
const maxOpenMs = 5_000;

class Broker {
  url = '';
  readonly #dataDir: string;
  readonly #configuration: string;
  #running: EmbeddedNats | undefined;

  private constructor(dataDir: string, configuration: string) {
    this.#dataDir = dataDir;
    this.#configuration = configuration;
  }

  static async create(keys: BusKeys, port: number, routes: readonly number[]): Promise<Broker> {
    const dataDir = await mkdtemp(join(tmpdir(), 'gantry-broker-'));
    const cluster = `server_name: broker-${port}
cluster { name: gantry, listen: "127.0.0.1:${port}", routes: [${routes.map((other) => `"nats://127.0.0.1:${other}"`).join(', ')}] }
`;
    return new Broker(dataDir, (await serverConfiguration(keys, prefix, join(dataDir, 'jwt'))) + cluster);
  }

  async start(): Promise<void> {
    this.#running = await startEmbeddedNats({
      dataDir: this.#dataDir,
      cacheDir: this.#dataDir,
      configuration: this.#configuration,
      serverBin: natsServer(),
      log,
    });
    this.url = this.#running.url;
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}

let keys: BusKeys;
let brokers: [Broker, Broker];

beforeAll(async () => {
  keys = createBusKeys();
  const ports = [await freePort(), await freePort()] as const;
  brokers = [await Broker.create(keys, ports[0], ports), await Broker.create(keys, ports[1], ports)];
  for (const broker of brokers) await broker.start();
});

afterAll(async () => {
  for (const broker of brokers) await broker.remove();
});

it('refuses them within seconds of its start, although it does not know of the revocation by itself', async () => {
  const [first, second] = brokers;
  const { publicKey, seed } = createUserKey();
  const credentials = new AgentCredentials({ keys, prefix, url: first.url, log });
  const { jwt } = credentials.mint('the-host', publicKey);
  const isLetIn = (broker: Broker) =>
    connect({ servers: broker.url, authenticator: jwtAuthenticator(jwt, seed), reconnect: false }).then(
      async (connection) => {
        await connection.close();
        return true;
      },
      () => false,
    );
  const revoked: { publicKey: string; revokedAt: Date }[] = [];
  const watch = new BrokerWatch({ keys, url: first.url, onStarted: () => credentials.revoke(revoked), log });
  await watch.refresh();
  try {
    expect(await Promise.all(brokers.map(isLetIn))).toEqual([true, true]);
    await second.stop();
    // The time of the credentials has whole seconds.
    revoked.push({ publicKey, revokedAt: new Date(Date.now() + 1_000) });
    await credentials.revoke(revoked);
    expect(await isLetIn(first)).toBe(false);
    await second.start();
    const startedAt = performance.now();
    await until(async () => !(await isLetIn(second)), 'the refusal', 150_000);
    expect(performance.now() - startedAt).toBeLessThan(maxOpenMs);
  } finally {
    await watch.close();
  }
});
