// The delay of 10,000 schedules that are due within one minute, and of all of them due at the same moment.
import pg from 'pg';
import { startChild, type Child } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';
import { percentile, refuseMissed } from './support/figures.ts';

const schedules = 10_000;
const perLicense = 10;
const patienceMs = 600_000;
/** All of them are due within this time. */
const spreadMs = 60_000;
/** The aim for schedules that are due over one minute. */
const maxLateMs = 5_000;

const environment = await openEnvironment();
const settings = JSON.parse(environment.settings) as object;
const pool = new pg.Pool({ connectionString: environment.databaseUrl, max: 2 });
let platform: Child | undefined;
try {
  platform = await startChild('servers/platform.ts', { ...settings, roles: ['api', 'jobs'] });
  await prepare();
  console.log(`\n${schedules} schedules of ${schedules / perLicense} licenses`);
  refuseMissed((await measure('due over one minute', spreadMs)) >= maxLateMs);
  await measure('due at the same moment', 0);
} finally {
  await platform?.stop();
  await pool.end();
  await environment.stop();
}

/** Licenses, each with a host of its own, and schedules that are disabled until the measurement. */
async function prepare(): Promise<void> {
  await pool.query(
    `with license as (
       insert into license (key, name, subdomain, companion_token_hash)
       select 's' || n, 's' || n, 's' || n, 's' || n from generate_series(1, $1) n returning id
     ), host as (
       insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
       select id, 'host', 'linux-x64', '1', 's' || id from license returning id, license_id
     ), instance as (
       insert into game_instance (license_id, host_id, name)
       select license_id, id, 'main' from host returning id, license_id
     )
     insert into schedule (license_id, instance_id, name, action, cron, time_zone, is_enabled, created_by)
     select license_id, id, 'bench', '{"kind":"restart"}', (n % 60) || ' 4 * * *',
       (array['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo'])[1 + n % 4], false, 'bench'
     from instance, generate_series(1, $2) n`,
    [schedules / perLicense, perLicense],
  );
  await pool.query('analyze');
}

/** Prints the delays between due times and the starts of the runs, and returns that of the slowest hundredth. */
async function measure(name: string, withinMs: number): Promise<number> {
  await pool.query('truncate schedule_run');
  await pool.query('delete from command');
  await pool.query(
    `update schedule set is_enabled = true, next_run_at = now() + interval '2 seconds' + random() * $1 * interval '1 ms'`,
    [withinMs],
  );
  const started = performance.now();
  while ((await begun()) < schedules) {
    if (performance.now() - started > withinMs + patienceMs) throw new Error('schedules were not run');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const { rows } = await pool.query<{ ms: number }>(
    'select extract(epoch from created_at - due_at)::float * 1000 as ms from schedule_run',
  );
  const late = rows.map(({ ms }) => ms);
  const seconds = (share: number) => `${(percentile(late, share) / 1000).toFixed(1)} s`;
  console.log(`  ${name.padEnd(24)} late by ${seconds(0.5)} (median), ${seconds(0.99)} (p99)`);
  return percentile(late, 0.99);
}

async function begun(): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from schedule_run');
  return rows[0]?.count ?? 0;
}
