// The agents' relay between real clients and the real bus: which connections count, and what passes.
import { jwtAuthenticator, wsconnect, type NatsConnection } from '@nats-io/transport-node';
import { WebSocket } from 'ws';
import { busPath } from '../../src/bus/websocket-relay.ts';
import { connectMonitor, TestAgent } from '../support/agent.ts';
import { World } from '../support/world.ts';

let world: World;
let agent: TestAgent;

beforeAll(async () => {
  world = await World.create();
  agent = await TestAgent.connect(world, await world.createTenant());
});

afterAll(async () => {
  await world.close();
});

/** Starts a replica that admits two unauthenticated connections a minute and returns its address. */
const startReplica = async () =>
  (await world.addReplica({ rateLimitFactor: 1 / 300, trustProxy: 1, roles: new Set(['api']) })).url ?? '';

async function connectThrough(url: string): Promise<NatsConnection> {
  const { session, key, hostId } = agent;
  const connection = await wsconnect({
    servers: `${url.replace('http', 'ws')}${busPath}`,
    authenticator: jwtAuthenticator(session.bus.jwt, key.seed),
    inboxPrefix: `_INBOX_A.${hostId}`,
    ignoreClusterUpdates: true,
    reconnect: false,
  });
  world.atEnd(() => connection.close());
  return connection;
}

/** Opens a socket, sends nothing, and returns the HTTP status. */
function statusOf(url: string, source: string): Promise<number | undefined> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${busPath}`, {
    headers: { 'X-Forwarded-For': source },
  });
  world.atEnd(async () => socket.terminate());
  return new Promise((resolve) => {
    socket.once('upgrade', ({ statusCode }) => resolve(statusCode));
    socket.once('unexpected-response', (_request, { statusCode }) => {
      resolve(statusCode);
      socket.terminate();
    });
    socket.on('error', () => undefined);
  });
}

it('does not count connections that the bus accepts', async () => {
  const url = await startReplica();
  for (let count = 0; count < 10; count += 1) await (await connectThrough(url)).close();
});

it('returns 429 for a source with too many unaccepted connections, and for no other source', async () => {
  const url = await startReplica();
  const statuses: (number | undefined)[] = [];
  for (let count = 0; count < 4; count += 1) statuses.push(await statusOf(url, '192.0.2.1'));
  expect(statuses).toEqual([101, 101, 429, 429]);
  expect(await statusOf(url, '192.0.2.2')).toBe(101);
  await (await connectThrough(url)).close();
});

it('passes the largest messages that the bus accepts, many at once', async () => {
  const url = await startReplica();
  const connection = await connectThrough(url);
  const monitor = await connectMonitor(world);
  const subject = agent.subject('up.relay-test');
  const sizes: number[] = [];
  monitor.subscribe('>', {
    callback: (_error, { data }) => {
      sizes.push(data.length);
    },
  });
  await monitor.flush();
  const max = connection.info?.max_payload ?? 0;
  expect(max).toBeGreaterThan(100_000);
  for (let count = 0; count < 16; count += 1) connection.publish(subject, new Uint8Array(max));
  await connection.flush();
  await monitor.flush();
  expect(sizes.filter((size) => size === max)).toHaveLength(16);
});
