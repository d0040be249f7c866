// 20,000 hosts with a server each that report: a lock that holds their heartbeats up takes none of them offline, and a quarter that falls
// silent goes offline without delaying the rest.
import pg from 'pg';
import { Children } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';
import {
  enrollHosts,
  heartbeatCounts,
  hostsWith,
  outagesSoFar,
  pause,
  report,
  secondsSince,
  until,
} from './support/reporting-hosts.ts';

const hosts = 20_000;
const silentHosts = 5_000;
const heartbeatSeconds = Number(process.argv[2] ?? 30);
const lockSeconds = 25;
/** After this long without a heartbeat a host counts as silent. */
const staleSeconds = heartbeatSeconds * 3;
const maxRecoverySeconds = 30;

const environment = await openEnvironment();
const settings = JSON.parse(environment.settings) as object;
const pool = new pg.Pool({ connectionString: environment.databaseUrl, max: 3 });
const children = new Children();
let isOver = false;
try {
  const platform = await children.start('servers/platform.ts', {
    ...settings,
    roles: ['api', 'ingest'],
    heartbeatIntervalSeconds: heartbeatSeconds,
  });
  const publisher = await children.start('servers/publisher.ts', settings);
  const hostIds = await enrollHosts(pool, hosts);
  let beating = hostIds;
  const beats = report(publisher, {
    intervalSeconds: heartbeatSeconds,
    ids: () => beating,
    isOver: () => isOver,
  });
  await until(async () => (await hostsWith(pool, `status = 'online'`)) === hosts, heartbeatSeconds * 12);
  console.log(
    `${hosts} hosts report every ${heartbeatSeconds} s: ${Math.round(hosts / heartbeatSeconds)} heartbeats/s`,
  );

  const before = await heartbeatCounts(platform);
  await lockHosts();
  const released = performance.now();
  const waiting = (await heartbeatCounts(platform)).waiting;
  await until(
    async () => (await heartbeatCounts(platform)).waiting < hosts / heartbeatSeconds,
    staleSeconds * 2,
  );
  const recoverySeconds = secondsSince(released);
  // Hosts that are wrongly taken for silent would go offline by then.
  await pause((staleSeconds + heartbeatSeconds) * 1_000);
  const after = await heartbeatCounts(platform);
  const wrong = await outagesSoFar(pool);
  print('a lock on all hosts', [
    `held for ${lockSeconds} s; ${waiting} heartbeats waited at its end, all were stored ${recoverySeconds.toFixed(1)} s later`,
    `dropped ${after.dropped - before.dropped} of ${after.taken + after.dropped - before.taken - before.dropped}`,
    `wrongly offline ${wrong}`,
  ]);

  beating = hostIds.slice(silentHosts);
  const quiet = performance.now();
  let maxWaiting = 0;
  await until(async () => {
    maxWaiting = Math.max(maxWaiting, (await heartbeatCounts(platform)).waiting);
    return (await hostsWith(pool, `status = 'offline'`)) >= silentHosts;
  }, staleSeconds * 4);
  const lastSeconds = secondsSince(quiet);
  await pause(heartbeatSeconds * 1_000);
  const offline = await hostsWith(pool, `status = 'offline'`);
  print(`${silentHosts} hosts fall silent`, [
    `all offline ${lastSeconds.toFixed(1)} s later; each ${staleSeconds} s after its own last heartbeat, up to ${heartbeatSeconds} s before`,
    `${offline - silentHosts} of the others offline; at most ${maxWaiting} heartbeats waited`,
  ]);
  isOver = true;
  await beats;
  const dropped = after.dropped - before.dropped;
  if (wrong > 0 || offline !== silentHosts || dropped > 0 || recoverySeconds > maxRecoverySeconds) {
    console.log('missed its aim: none dropped, none wrongly offline, recovered within 30 s');
    process.exitCode = 1;
  }
} finally {
  isOver = true;
  await children.stop();
  await pool.end();
  await environment.stop();
}

/** Heartbeats wait for it, as for a statement that changes all hosts. */
async function lockHosts(): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('lock table agent_host in exclusive mode');
    await pause(lockSeconds * 1_000);
    await client.query('commit');
  } finally {
    client.release();
  }
}

function print(name: string, lines: readonly string[]): void {
  console.log(`\n${name}\n${lines.map((line) => `  ${line}`).join('\n')}`);
}
