// Connections of one host beyond the maximum, at a real nats-server watched by two replicas.
import {
  connect,
  jwtAuthenticator,
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/transport-node';
import { pino } from 'pino';
import { AgentCredentials } from '../../src/bus/agent-credentials.ts';
import { ConnectionCap, maxConnectionsPerHost, surplusOf } from '../../src/bus/connection-cap.ts';
import type { AgentConnection } from '../../src/bus/system-connection.ts';
import { startTestNats, type TestNats } from '../support/nats.ts';
import { until } from '../support/until.ts';
import { createUserKey } from '../../shared/nkeys.ts';

const log = pino({ level: 'silent' });

let nats: TestNats;
let replicas: ConnectionCap[];
let connections: NatsConnection[];
let endedCount: number;

beforeEach(async () => {
  nats = await startTestNats();
  endedCount = 0;
  connections = [];
  const onEnded = () => {
    endedCount += 1;
  };
  replicas = [1, 2].map(() => new ConnectionCap({ ...nats, onEnded, log }));
  await Promise.all(replicas.map((replica) => replica.refresh()));
});

afterEach(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await Promise.all(replicas.map((replica) => replica.close()));
  await nats.stop();
});

/** Opens connections with the credentials of one host. */
function hostNamed(hostId: string): (options?: ConnectionOptions) => Promise<NatsConnection> {
  const { publicKey, seed } = createUserKey();
  const { jwt } = new AgentCredentials({ ...nats, log }).mint(hostId, publicKey);
  return async (options) => {
    const connection = await connect({
      servers: nats.url,
      authenticator: jwtAuthenticator(jwt, seed),
      inboxPrefix: `_INBOX_A.${hostId}`,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 50,
      timeout: 60_000,
      ...options,
    });
    connections.push(connection);
    return connection;
  };
}

/**
 * A few at a time, retrying failures: a server waits two seconds for credentials, which a busy machine
 * exceeds.
 */
async function openAll(count: number, open: () => Promise<NatsConnection>): Promise<void> {
  let left = count;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      await open().catch(() => {
        left += 1;
      });
    }
  };
  await Promise.all(Array.from({ length: 10 }, work));
}

const stillOpen = () => connections.filter((connection) => !connection.isClosed());

const idOf = (connection: NatsConnection) => connection.info?.client_id;

describe('three hundred connections of one host', () => {
  it('are reduced to the maximum, which includes its agent’s connection; other hosts keep theirs', async () => {
    const open = hostNamed('flooding');
    const agent = await open();
    const other = await hostNamed('other')();
    const before = [idOf(agent), idOf(other)];
    await openAll(300, () => open({ reconnect: false }));
    await until(() => stillOpen().length <= maxConnectionsPerHost + 1, 'the end of the surplus');
    expect(endedCount).toBeGreaterThanOrEqual(292);
    await Promise.all(replicas.map((replica) => replica.refresh()));
    await Promise.all(stillOpen().map((connection) => connection.flush()));
    expect(stillOpen()).toHaveLength(maxConnectionsPerHost + 1);
    expect([idOf(agent), idOf(other)]).toEqual(before);
  });

  it('are ended also when they existed before the platform started', async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await openAll(300, () => hostNamed('early')({ reconnect: false }));
    const open = hostNamed('flooding');
    await openAll(300, () => open({ reconnect: false }));
    const late = new ConnectionCap({ ...nats, onEnded: () => undefined, log });
    replicas = [late];
    await late.refresh();
    await until(() => stillOpen().length === 300 + maxConnectionsPerHost, 'the end of the surplus');
  });
});

it('an agent connects while others hold every connection of its host', async () => {
  const open = hostNamed('held');
  await openAll(maxConnectionsPerHost, () => open({ reconnect: false }));
  const agent = await open({ reconnect: false });
  await until(() => stillOpen().length === maxConnectionsPerHost, 'the end of one');
  await Promise.all(replicas.map((replica) => replica.refresh()));
  await agent.flush();
  expect(agent.isClosed()).toBe(false);
});

it('no connection is ended when every host reconnects to a restarted server, repeatedly', async () => {
  const agents = await Promise.all(
    Array.from({ length: 40 }, (_, index) => hostNamed(`host-${index}`)).flatMap((open) => [open(), open()]),
  );
  for (let restart = 0; restart < maxConnectionsPerHost / 2; restart += 1) {
    const reconnected = Promise.all(agents.map(untilReconnected));
    await nats.restart();
    await reconnected;
  }
  await Promise.all(replicas.map((replica) => replica.refresh()));
  await Promise.all(agents.map((agent) => agent.flush()));
  expect(endedCount).toBe(0);
});

async function untilReconnected(connection: NatsConnection): Promise<void> {
  for await (const { type } of connection.status()) if (type === 'reconnect') return;
}

describe('the surplus', () => {
  const startedAt = (seconds: number, clientId = seconds): AgentConnection => ({
    serverId: 'server',
    clientId,
    hostId: 'host',
    publicKey: 'key',
    startedAt: new Date(seconds * 1000),
  });
  const shuffled = [9, 3, 1, 10, 7, 2, 8, 4, 6, 5].map((seconds) => startedAt(seconds));

  it('is neither among the oldest nor among the newest', () => {
    expect(surplusOf(shuffled).map(({ clientId }) => clientId)).toEqual([5, 6]);
  });

  it('is empty up to the maximum', () => {
    expect(surplusOf(shuffled.slice(0, maxConnectionsPerHost))).toEqual([]);
  });
});
