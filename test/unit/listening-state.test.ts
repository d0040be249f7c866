// The listening state of an ingest replica: what has reached the bus, and whether the bus was reachable.
import { connect, createServer, type Server, type Socket } from 'node:net';
import { connect as connectNats, jwtAuthenticator } from '@nats-io/transport-node';
import type pg from 'pg';
import { pino } from 'pino';
import { Bus } from '../../src/bus/bus.ts';
import { Heartbeats } from '../../src/ingest/heartbeats.ts';
import { heartbeatLane } from '../../src/bus/connection.ts';
import { UserJwtSigner } from '../../src/bus/keys.ts';
import { Metrics } from '../../src/process/metrics.ts';
import { listeningStateOf } from '../../src/process-roles/ingest.ts';
import { startTestNats, type TestNats } from '../support/nats.ts';
import { until } from '../support/until.ts';
import { createUserKey } from '../../shared/nkeys.ts';

const log = pino({ level: 'silent' });
let nats: TestNats;
let proxy: Server;
let bus: Bus;
const sockets: Socket[] = [];

beforeAll(async () => {
  nats = await startTestNats();
  const { hostname, port } = new URL(nats.url);
  proxy = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.push(from);
      from.on('error', () => undefined).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  bus = await Bus.connect({ ...nats, url: `nats://127.0.0.1:${address.port}`, log });
});

afterAll(async () => {
  // A connection that is being re-established cannot be drained yet.
  await until(
    () =>
      bus.drain().then(
        () => true,
        () => false,
      ),
    'the end of the connections',
  );
  proxy.close();
  await nats.stop();
});

const heartbeats = () => new Heartbeats({} as pg.Pool, new Metrics(), log);

it('has received everything that had reached the bus once it has caught up', async () => {
  const { publicKey, seed } = createUserKey();
  const everything = { pub: { allow: ['>'] }, sub: { allow: ['>'] }, subs: -1, data: -1, payload: -1 };
  const token = new UserJwtSigner(nats.keys.platformSigning, nats.keys.account).mint(
    'a',
    publicKey,
    everything,
  );
  const sender = await connectNats({ servers: nats.url, authenticator: jwtAuthenticator(token, seed) });
  let received = 0;
  bus.subscribe('some.subject', () => (received += 1), { lane: heartbeatLane });
  await bus.catchUpWithHeartbeats();
  for (let count = 0; count < 5_000; count += 1) sender.publish('some.subject', 'x'.repeat(1_000));
  await sender.flush();
  await listeningStateOf(bus, heartbeats()).catchUp(5_000);
  expect(received).toBe(5_000);
  await sender.close();
});

it('does not catch up with a frozen bus, and records that it was lost', async () => {
  const hearing = listeningStateOf(bus, heartbeats());
  expect([hearing.busLossCount, hearing.heartbeatLossCount]).toEqual([0, 0]);
  for (const socket of sockets) socket.pause();
  await expect(hearing.catchUp(100)).rejects.toThrow('no reply');
  await expect(hearing.checkBus(100)).rejects.toThrow('no reply');
  for (const socket of sockets) socket.destroy();
  await until(
    () => hearing.busLossCount > 0 && hearing.heartbeatLossCount > 0,
    'the loss of the connections',
  );
  await until(
    () =>
      hearing.catchUp(5_000).then(
        () => true,
        () => false,
      ),
    'the connection',
  );
});

it('knows which heartbeats wait to be stored, and for how long', async () => {
  const asked = Promise.withResolvers<never>();
  const waiting = new Heartbeats({ connect: () => asked.promise } as unknown as pg.Pool, new Metrics(), log);
  const hearing = listeningStateOf(bus, waiting);
  expect([hearing.oldestWaitMs(), hearing.waitingHosts()]).toEqual([0, []]);
  const beat = { instances: [] } as never;
  waiting.take({ hostId: 'one', beat, receivedAt: new Date() });
  waiting.take({ hostId: 'two', beat, receivedAt: new Date() });
  expect(hearing.waitingHosts().toSorted()).toEqual(['one', 'two']);
  await until(() => hearing.oldestWaitMs() > 5, 'about a millisecond');
  asked.reject(Object.assign(new Error('refused'), { code: '22000' }));
  await until(() => hearing.waitingHosts().length === 0, 'the refusal');
  expect(hearing.oldestWaitMs()).toBe(0);
});
