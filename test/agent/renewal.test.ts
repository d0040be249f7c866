// Renewal of credentials: the platform gets every reply while an agent changes from one connection to the next.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, jwtAuthenticator, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { BusConnection } from '../../agent/src/bus/bus-connection.ts';
import { Subjects } from '../../agent/src/bus/subjects.ts';
import { UserJwtSigner, createBusKeys, serverConfiguration } from '../../src/bus/keys.ts';
import { until } from '../support/until.ts';
import { NatsServer } from './support/nats-server.ts';
import { createUserKey } from '../../shared/nkeys.ts';

const hostId = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01';
const subjects = new Subjects('gantry', hostId);

let directory: string;
let nats: NatsServer;
let platform: NatsConnection;
let agent: BusConnection;
/** What the agent does with a request. */
let onRequest: (message: Msg) => Promise<void>;
let ups: number;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'gantry-renewal-'));
  const keys = createBusKeys();
  nats = await NatsServer.start(directory, await serverConfiguration(keys, 'gantry', directory));
  const own = createUserKey();
  const all = { subs: -1, data: -1, payload: -1 };
  const jwt = new UserJwtSigner(keys.platformSigning, keys.account).mint('platform', own.publicKey, all);
  platform = await connect({ servers: nats.url, authenticator: jwtAuthenticator(jwt, own.seed) });
  const agents = new UserJwtSigner(keys.agentSigning, keys.account);
  const key = createUserKey();
  ups = 0;
  onRequest = (message) => Promise.resolve(void message.respond('at once'));
  agent = await BusConnection.open({
    urls: [nats.url],
    name: hostId,
    subjects,
    seed: () => key.seed,
    jwt: () => agents.mint(hostId, key.publicKey, { tags: [`host:${hostId}`] }),
    listener: {
      onUp: () => (ups += 1),
      onDown: () => undefined,
      onCommand: () => Promise.resolve(),
      onRequest: (message) => onRequest(message),
    },
    log: pino({ level: 'silent' }),
  });
  await until(() => ask().catch(() => undefined), 'the agent');
});

afterEach(async () => {
  await agent.close();
  await platform.close();
  await nats.stop();
  rmSync(directory, { recursive: true, force: true });
});

const ask = async () => {
  const { data } = await platform.request(`gantry.${hostId}.ask.presence`, '', { timeout: 30_000 });
  return Buffer.from(data).toString();
};

test('a reply sent after the renewal arrives', async () => {
  const arrived = Promise.withResolvers<Msg>();
  onRequest = async (message) => {
    arrived.resolve(message);
    await renewed.promise;
    message.respond('late');
  };
  const renewed = Promise.withResolvers<void>();
  const reply = ask();
  await arrived.promise;
  await agent.renew();
  expect(ups).toBe(2);
  renewed.resolve();
  expect(await reply).toBe('late');
});

test('no request is lost or taken twice while connections change', async () => {
  let asked = 0;
  let taken = 0;
  onRequest = (message) => {
    taken += 1;
    return Promise.resolve(void message.respond('at once'));
  };
  let isRenewing = true;
  const asking = Array.from({ length: 8 }, async () => {
    while (isRenewing) {
      asked += 1;
      expect(await ask()).toBe('at once');
    }
  });
  for (let renewal = 0; renewal < 5; renewal += 1) {
    await agent.renew();
    await ask().then(() => (asked += 1));
  }
  isRenewing = false;
  await Promise.all(asking);
  expect(ups).toBe(6);
  expect(asked).toBeGreaterThan(0);
  expect(taken).toBe(asked);
});
