// The process survives losing the connection of the job listener while its run stops.
import { EventEmitter, once } from 'node:events';
import { Logger, run, type WorkerEvents } from 'graphile-worker';
import { pino } from 'pino';
import { clientConfig, LimitedPool } from '../../src/database/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

let database: TestDatabase;
let proxy: TcpProxy;
let pool: LimitedPool;

beforeEach(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  proxy = await TcpProxy.start({ path: `${decodeURIComponent(url.hostname)}/.s.PGSQL.${url.port}` });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  pool = new LimitedPool({ ...clientConfig({ url: url.href }), max: 4 }, pino({ level: 'silent' }));
});

afterEach(async () => {
  await pool.end();
  await proxy.stop();
  await database.drop();
});

it('a run that stops before the database replies to its LISTEN returns the connection once', async () => {
  const events: WorkerEvents = new EventEmitter();
  const ready = Promise.all([once(events, 'worker:getJob:empty'), once(events, 'pool:listen:success')]);
  const runner = await run({
    events,
    pgPool: pool,
    pollInterval: 600_000,
    taskList: { nothing: () => undefined },
    noHandleSignals: true,
    logger: new Logger(() => () => undefined),
  });
  await ready;
  // The next listener's query gets no reply.
  const listensAgain = once(events, 'pool:listen:success');
  events.once('pool:listen:success', () => proxy.stall());
  proxy.reset();
  await listensAgain;
  const givenBack = once(pool, 'release');
  const stopped = runner.stop();
  proxy.reset();
  proxy.resume();
  await givenBack;
  await stopped;
  // An unhandled rejection would end the process; it is raised before this.
  await new Promise(setImmediate);
  expect(pool.totalCount).toBe(0);
});
