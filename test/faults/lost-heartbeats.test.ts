// The heartbeat connection is lost repeatedly, as a flood of one license causes.
import { connect, jwtAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { UserJwtSigner } from '../../src/bus/keys.ts';
import { TestAgent } from '../support/agent.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world.ts';
import { createUserKey } from '../../shared/nkeys.ts';

/** So short that a silence counted from each loss would never last for three heartbeats. */
const betweenLossesMs = 1_000;
const heartbeatIntervalSeconds = 2;

let world: World;
let system: NatsConnection;

beforeAll(async () => {
  world = await World.create({ heartbeatIntervalSeconds });
  const { keys, url } = world.nats;
  const { publicKey, seed } = createUserKey();
  const limits = { subs: -1, data: -1, payload: -1 };
  const jwt = new UserJwtSigner(keys.systemSigning, keys.system).mint('test', publicKey, limits);
  system = await connect({ servers: url, authenticator: jwtAuthenticator(jwt, seed) });
});

afterAll(async () => {
  await system.close();
  await world.close();
});

interface Listed {
  server: { id: string };
  data: { connections?: { cid: number; name?: string }[] };
}

/** Has the server drop the platform's heartbeat connections; returns their number. */
async function dropLane(): Promise<number> {
  const reply = await system.request('$SYS.REQ.SERVER.PING.CONNZ', '{}', { timeout: 5_000 });
  const { server, data } = reply.json<Listed>();
  const lanes = (data.connections ?? []).filter(({ name }) => name === 'gantry-heartbeats');
  for (const { cid } of lanes)
    await system.request(`$SYS.REQ.SERVER.${server.id}.KICK`, JSON.stringify({ cid }), { timeout: 5_000 });
  return lanes.length;
}

const statusOf = async ({ hostId }: TestAgent) => {
  const [row] = await world.database.query<{ status: string }>(
    'select status from agent_host where id = $1',
    [hostId],
  );
  return row?.status;
};

it('an outage is found, and a host whose heartbeats are lost stays online', async () => {
  const [gone, mute] = [
    await TestAgent.connect(world, await world.createTenant()),
    await TestAgent.connect(world, await world.createTenant()),
  ];
  let asked = 0;
  mute.onRequest('presence', () => {
    asked += 1;
    return { v: 1, ok: true };
  });
  for (const agent of [gone, mute]) {
    agent.publish('heartbeat', agent.heartbeat([]));
    await until(async () => (await statusOf(agent)) === 'online', 'its first heartbeat');
  }
  let losses = 0;
  let dropping = Promise.resolve();
  const losing = setInterval(() => {
    dropping = dropping.then(dropLane).then((count) => void (losses += count));
  }, betweenLossesMs);
  world.atEnd(async () => clearInterval(losing));
  await until(() => losses > 0, 'the first loss');

  await gone.connection.close();
  await until(async () => (await statusOf(gone)) === 'offline', 'the outage', 60_000);
  await until(() => asked > 1, 'another request', 60_000);
  expect(await statusOf(mute)).toBe('online');
  expect(losses).toBeGreaterThan(1);

  clearInterval(losing);
  await dropping;
  await mute.connection.close();
});
