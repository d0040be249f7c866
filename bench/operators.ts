// 20,000 hosts with a server each report every ten seconds while operators read: what is stored, how old it gets, what it costs.
// `node bench/operators.ts 10` measures for ten minutes.
import autocannon from 'autocannon';
import pg from 'pg';
import { Children, type Child } from './support/child.ts';
import { cpuOf, cpuOfServer, serverPid } from './support/cpu.ts';
import { openEnvironment } from './support/environment.ts';
import { refuseMissed } from './support/figures.ts';
import { prepareFleet } from './support/fleet.ts';
import {
  enrollHosts,
  heartbeatCounts,
  hostsWith,
  outagesSoFar,
  pause,
  report,
  until,
} from './support/reporting-hosts.ts';

const hosts = 20_000;
const heartbeatSeconds = 10;
const operatorRequests = 200;
/** Heartbeats alone first: the cost of one. */
const aloneSeconds = 60;
const seconds = Number(process.argv[2] ?? 2) * 60;
const maxWaitingSeconds = 3;
const minStored = 0.995;

const environment = await openEnvironment();
const settings = JSON.parse(environment.settings) as object;
const pool = new pg.Pool({ connectionString: environment.databaseUrl, max: 3 });
const children = new Children();
let isOver = false;
try {
  const platform = await children.start('servers/platform.ts', {
    ...settings,
    roles: ['api', 'ingest', 'jobs'],
    heartbeatIntervalSeconds: heartbeatSeconds,
  });
  const { token } = await prepareFleet(platform.ready.url, environment.databaseUrl);
  const publisher = await children.start('servers/publisher.ts', settings);
  const hostIds = await enrollHosts(pool, hosts);
  await pool.query('analyze');
  const sent = report(publisher, {
    intervalSeconds: heartbeatSeconds,
    ids: () => hostIds,
    isOver: () => isOver,
  });
  await until(async () => (await hostsWith(pool, `status = 'online'`)) === hosts, heartbeatSeconds * 12);
  const postgres = await serverPid(environment.databaseUrl);
  const processorMs = () => cpuOf(platform.pid) + cpuOfServer(postgres);

  const [cpuBefore, countsBefore] = [processorMs(), await heartbeatCounts(platform)];
  await pause(aloneSeconds * 1_000);
  const counts = await heartbeatCounts(platform);
  const ofOne = (processorMs() - cpuBefore) / (counts.taken - countsBefore.taken);

  const delays: number[] = [];
  const [reading] = await Promise.all([
    autocannon({
      url: platform.ready.url,
      connections: 16,
      overallRate: operatorRequests,
      duration: seconds,
      headers: { authorization: `Bearer ${token}` },
      requests: [
        { path: '/api/fleet/instances?limit=25' },
        { path: '/api/fleet/hosts?limit=25' },
        { path: '/api/events?limit=25' },
        { path: '/api/fleet/instances?limit=25&state=running' },
      ],
    }),
    watchDelays(platform, delays),
  ]);
  isOver = true;
  await until(async () => (await heartbeatCounts(platform)).waiting === 0, 60);
  const [published, after] = [await sent, await heartbeatCounts(platform)];
  const stored = after.taken / published;
  const waited = Math.max(...delays);
  const wrong = await outagesSoFar(pool);
  console.log(`
${hosts} hosts report every ${heartbeatSeconds} s for ${seconds} s, ${operatorRequests} requests/s of operators
  stored     ${(stored * 100).toFixed(2)} % of ${published}   aim ≥ ${minStored * 100} %
  waited     ${waited.toFixed(1)} s at most   aim < ${maxWaitingSeconds} s
  offline    ${wrong} hosts wrongly   aim 0
  operators  ${reading.requests.average.toFixed(0)} requests/s, p50 ${reading.latency.p50} ms, p99 ${reading.latency.p99} ms
  refused    ${reading.non2xx + reading.errors}
  cost       ${ofOne.toFixed(2)} ms of processor time for a heartbeat, platform and PostgreSQL, without operators`);
  refuseMissed(
    stored < minStored || waited >= maxWaitingSeconds || wrong > 0 || reading.non2xx + reading.errors > 0,
  );
} finally {
  isOver = true;
  await children.stop();
  await pool.end();
  await environment.stop();
}

/**
 * Every second, how late the platform is: what waits, by the rate at which it comes, or how much more than the interval has
 * passed since the heartbeat of a host was stored.
 */
async function watchDelays(platform: Child, delays: number[]): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    const { waiting } = await heartbeatCounts(platform);
    const { rows } = await pool.query<{ age: number }>(
      `select extract(epoch from clock_timestamp() - min(last_heartbeat_at))::float8 as age
       from agent_host where hostname like 'host-%'`,
    );
    delays.push((waiting * heartbeatSeconds) / hosts, (rows[0]?.age ?? NaN) - heartbeatSeconds);
    await pause(1_000);
  }
}
