// 10,000 viewers of consoles and event streams on one API replica, 100,000 console lines a second, and slow readers.
import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { AccessTokens } from '../src/services/auth/access-tokens.ts';
import { Children } from './support/child.ts';
import { cpuOf } from './support/cpu.ts';
import { openEnvironment } from './support/environment.ts';
import { percentile, refuseMissed } from './support/figures.ts';
import type { Printing } from './servers/consoles.ts';
import type { Opening, ViewerFigures } from './servers/viewers.ts';

const licenses = 20;
/** Of each license. */
const instances = 10;
const sessions = Number(process.argv[2] ?? 10_000) / licenses;
const streams = sessions / 5;
/** These consoles print a hundred thousand lines a second together. */
const floodingConsoles = 20;
const floodedLines = 5_000;
const slowViewers = 100;
const calmLines = 5;
const seconds = 20;

const environment = await openEnvironment();
const settings = JSON.parse(environment.settings) as object;
const pool = new pg.Pool({ connectionString: environment.databaseUrl, max: 3 });
const children = new Children();
try {
  const platform = await children.start('servers/platform.ts', { ...settings, roles: ['api'] });
  const { url } = platform.ready;
  const agents = await children.start('servers/consoles.ts', settings);
  const viewers = await children.start('servers/viewers.ts', { url });
  const slow = await children.start('servers/viewers.ts', { url });
  const readers = await children.start('servers/viewers.ts', { url });
  const { consoles, users } = await prepare();
  const memory = async () => ((await platform.ask<{ rss: number }>('memory')).rss / 1024 ** 2).toFixed(0);
  console.log(`memory of the replica without anybody: ${await memory()} MB`);

  const forConsoles = users.filter(({ index }) => index >= streams);
  const begun = performance.now();
  await viewers.ask({
    tokens: forConsoles.map(({ token }) => token),
    instanceIds: forConsoles.map(({ index, license }) => consoleOf(license, index).id),
    atOnce: 50,
  } satisfies Opening);
  const opened = performance.now();
  const forStreams = users.filter(({ index }) => index < streams);
  await readers.ask({ tokens: forStreams.map(({ token }) => token), atOnce: 50 } satisfies Opening);
  console.log(
    `${forConsoles.length} consoles opened in ${((opened - begun) / 1_000).toFixed(1)} s, ` +
      `${forStreams.length} event streams in ${((performance.now() - opened) / 1_000).toFixed(1)} s; memory ${await memory()} MB`,
  );

  const calm = consoles.map((console) => ({ ...console, linesPerSecond: calmLines }));
  await measure('nothing happens', []);
  const usual = await measure(`each of ${consoles.length} consoles prints ${calmLines} lines a second`, calm);
  refuseMissed(
    usual.consoles.open < forConsoles.length || usual.consoles.gaps > 0 || usual.consoles.p99Ms > 1_000,
  );

  const flooding = consoles.map((console, index) => ({
    ...console,
    linesPerSecond: index < floodingConsoles ? floodedLines : calmLines,
  }));
  const beside = forConsoles
    .filter(({ license }) => license < floodingConsoles / instances)
    .slice(0, slowViewers);
  await slow.ask({
    tokens: beside.map(({ token }) => token),
    instanceIds: beside.map(({ license, index }) => consoleOf(license, index).id),
    isSlow: true,
    atOnce: 10,
  } satisfies Opening);
  const flooded = await measure(
    `${floodingConsoles} of them print ${(floodingConsoles * floodedLines).toLocaleString('en')} lines a second, ${slowViewers} more viewers do not read`,
    flooding,
  );
  refuseMissed(
    flooded.consoles.open < forConsoles.length || flooded.consoles.p99Ms > 2_000 || flooded.healthMs > 500,
  );
  const { open: closed } = await slow.ask<ViewerFigures>('figures');
  console.log(`  viewers that do not read and are still open: ${closed}`);

  function consoleOf(license: number, index: number) {
    const found = consoles[license * instances + (index % instances)];
    if (found === undefined) throw new Error('no such console');
    return found;
  }

  async function measure(name: string, printing: Printing['consoles']) {
    await Promise.all([viewers, readers].map((child) => child.ask('figures')));
    const cpu = cpuOf(platform.pid);
    const health: number[] = [];
    let isOver = false;
    const probing = probe(health, () => isOver);
    const changing = changeRows(() => isOver);
    const printed = await agents.ask<{ printed: number; seconds: number }>({ consoles: printing, seconds });
    isOver = true;
    await Promise.all([probing, changing]);
    const figures = await viewers.ask<ViewerFigures>('figures');
    const streamed = await readers.ask<ViewerFigures>('figures');
    const healthMs = percentile(health, 0.99);
    console.log(
      `\n${name}\n` +
        `  lines printed ${Math.round(printed.printed / printed.seconds).toLocaleString('en')}/s in ${printed.seconds.toFixed(1)} s\n` +
        `  consoles: ${figures.open} open, ${figures.lines} frames, p50 ${figures.p50Ms} ms, p99 ${figures.p99Ms} ms, ${figures.gaps} gaps, closed ${JSON.stringify(figures.closed)}\n` +
        `  event streams: ${streamed.open} open, ${streamed.events} events, p50 ${streamed.p50Ms} ms, p99 ${streamed.p99Ms} ms\n` +
        `  /healthz p99 ${healthMs.toFixed(0)} ms; the replica used ${((cpuOf(platform.pid) - cpu) / printed.seconds / 10).toFixed(0)} % of a core; memory ${await memory()} MB`,
    );
    return { consoles: figures, streams: streamed, healthMs };
  }

  async function probe(health: number[], isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const asked = performance.now();
      await (await fetch(`${url}/healthz`)).text();
      health.push(performance.now() - asked);
      await pause(50);
    }
  }
} finally {
  await children.stop();
  await pool.end();
  await environment.stop();
}

/** A change of one instance of each license in every second, sent to every stream of the license. */
async function changeRows(isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    await pool.query(`update game_instance set state = $1, state_at = now() where name = 'i1'`, [
      turn % 2 === 0 ? 'stopped' : 'running',
    ]);
    await pause(1_000);
  }
}

async function prepare() {
  await pool.query(
    `insert into license (key, name, subdomain, companion_token_hash)
     select label, label, label, label from generate_series(1, $1) n, lateral (select 'viewers' || n as label)`,
    [licenses],
  );
  await pool.query(
    `with host as (
       insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
       select id, 'host', 'linux-x64', '1', id::text from license returning id, license_id)
     insert into game_instance (license_id, host_id, name, game, state, uptime_seconds, players, max_players)
     select license_id, id, 'i' || n, 'rust', 'running', 100, 0, 100 from host, generate_series(1, $1) n`,
    [instances],
  );
  await pool.query(
    `with one as (insert into role (license_id, name, permissions) select id, 'Bench', '{"console.view":true,"events.view":true,"fleet.view":true}' from license returning id, license_id),
     person as (
       insert into user_account (id, email)
       select gen_random_uuid(), 'viewer' || n || '@' || license_id from one, generate_series(1, $1) n returning id, email),
     session as (insert into user_session (user_id) select id from person returning id)
     insert into membership (license_id, user_id, role_id)
     select one.license_id, person.id, one.id from person join one on split_part(person.email, '@', 2) = one.license_id::text`,
    [sessions],
  );
  await pool.query('analyze');
  const { rows: consoles } = await pool.query<{ id: string; hostId: string; instance: string }>(
    `select id, host_id as "hostId", name as instance from game_instance order by license_id, name`,
  );
  const { rows: found } = await pool.query<{
    sub: string;
    sid: string;
    license_id: string;
    index: number;
    license: number;
  }>(
    `select session.user_id as sub, session.id as sid, membership.license_id,
       (row_number() over (partition by membership.license_id order by session.id))::int - 1 as index,
       (dense_rank() over (order by membership.license_id))::int - 1 as license
     from membership join user_session as session on session.user_id = membership.user_id
     join role on role.id = membership.role_id and role.name = 'Bench'`,
  );
  const tokens = new AccessTokens(environment.jwtSecret);
  const inAnHour = new Date(Date.now() + 3_600_000);
  const users = found.map(({ sub, sid, license_id, index, license }) => ({
    index,
    license,
    token: tokens.sign(
      { sub, sid, license_id, role: 'Bench', permissions: { 'console.view': true }, is_super_admin: false },
      inAnHour,
    ),
  }));
  return { consoles, users };
}
