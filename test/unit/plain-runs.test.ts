// Due schedules of many licenses in one transaction: each row has its own license, and locked rows are left to others.
import { DueTimes } from '../../src/services/schedules/due-times.ts';
import { runPlain } from '../../src/services/schedules/due-command-runs.ts';
import { openFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';

const dueTimes = new DueTimes();
let fleet: FleetDatabase;
beforeAll(async () => {
  fleet = await openFleetDatabase();
});
afterAll(() => fleet.close());

interface Made {
  id: string;
  license_id: string;
  instance_id: string;
  host_id: string;
}

const run = (due: Made[]) =>
  fleet.platform.transact('jobs', (em) =>
    runPlain(
      em,
      due.map(({ id }) => id),
      dueTimes,
    ),
  );

/** A due schedule of an instance on a host of its own, in a license of its own. */
async function createDue({
  action = { kind: 'restart' },
  dueAgo = '1 second',
  status = 'active',
  isSandbox = false,
  capabilities = undefined,
}: {
  action?: Record<string, unknown>;
  dueAgo?: string;
  status?: string;
  isSandbox?: boolean;
  capabilities?: string[] | undefined;
} = {}): Promise<Made> {
  const [made] = await fleet.database.query<Made>(
    `with license as (
       insert into license (key, name, subdomain, companion_token_hash, status, is_sandbox, revoked_at, revoked_by)
       select name, name, name, name, $3::text, $4, case when $3 = 'revoked' then now() end,
         case when $3 = 'revoked' then 'platform' end
       from (select gen_random_uuid()::text as name) as random returning id
     ), host as (
       insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
       select id, 'host', 'linux-x64', '1', id::text from license returning id, license_id
     ), instance as (
       insert into game_instance (license_id, host_id, name, capabilities)
       select license_id, id, 'main', $5::text[] from host returning id, license_id, host_id
     ), schedule as (
       insert into schedule (license_id, instance_id, name, action, cron, time_zone, created_by, next_run_at)
       select license_id, id, 'nightly', $1::jsonb, '0 4 * * *', 'UTC', 'owner', now() - $2::interval
       from instance returning id, license_id, instance_id
     )
     select schedule.*, host.id as host_id from schedule, host`,
    [JSON.stringify(action), dueAgo, status, isSandbox, capabilities ?? null],
  );
  if (made === undefined) throw new Error('nothing was inserted');
  return made;
}

const stateOf = async ({ id }: Made) => {
  const [state] = await fleet.database.query(
    `select schedule.next_run_at > now() as has_moved_on, run.license_id, run.status, run.error_code, run.detail,
       run.finished_at is null as is_open, command.license_id as command_license_id, command.host_id,
       command.instance_id, command.kind, command.args, command.requested_by,
       command.expires_at - command.created_at <= interval '11 minutes' as is_short_lived,
       (select count(*)::int from schedule_run where schedule_id = schedule.id) as runs
     from schedule left join schedule_run as run on run.schedule_id = schedule.id
       left join command on command.id = run.command_id
     where schedule.id = $1`,
    [id],
  );
  return state;
};

const untouched = { has_moved_on: false, runs: 0 };

it('writes the run and the command of each license, and the job that relays it', async () => {
  const due = [
    await createDue(),
    await createDue({ action: { kind: 'announcement', message: 'It\'s "7" o’clock' } }),
    await createDue({ action: { kind: 'plugin_reload', plugin: 'Kits' } }),
  ];
  expect(new Set(await run(due))).toEqual(new Set(due.map(({ id }) => id)));
  const orders = [
    { kind: 'restart', args: {} },
    { kind: 'announce', args: { message: 'It\'s "7" o’clock', by: 'nightly' } },
    { kind: 'reload_plugin', args: { plugin: 'Kits', by: 'nightly' } },
  ];
  for (const [index, made] of due.entries()) {
    expect(await stateOf(made)).toMatchObject({
      ...orders[index],
      has_moved_on: true,
      runs: 1,
      status: 'running',
      is_open: true,
      license_id: made.license_id,
      command_license_id: made.license_id,
      host_id: made.host_id,
      instance_id: made.instance_id,
      requested_by: 'nightly',
      is_short_lived: true,
    });
    const [job] = await fleet.database.query(
      `select payload ->> 'host_id' as host_id from graphile_worker._private_jobs where key = 'relay ' || $1`,
      [made.host_id],
    );
    expect(job).toEqual({ host_id: made.host_id });
  }
  expect(await run(due)).toEqual([]);
});

it('leaves wipes, backups, sandboxes and licenses that are not active to others', async () => {
  const others = [
    await createDue({ action: { kind: 'wipe', wipe: { kind: 'map' } } }),
    await createDue({ action: { kind: 'backup', keep_last: 3 } }),
    await createDue({ isSandbox: true }),
    await createDue({ status: 'revoked' }),
  ];
  expect(await run(others)).toEqual([]);
  for (const made of others) expect(await stateOf(made)).toMatchObject(untouched);
});

it('records what is late, what the server cannot do, and what the host has no room for', async () => {
  const late = await createDue({ dueAgo: '6 minutes' });
  const incapable = await createDue({ action: { kind: 'command', line: 'save' }, capabilities: [] });
  const capable = await createDue({
    action: { kind: 'command', line: 'save' },
    capabilities: ['console_output', 'console_input'],
  });
  const full = await createDue();
  await fleet.database.query(
    `insert into command (license_id, host_id, instance_id, kind, args, expires_at)
     select $1, $2, $3, 'restart', '{}', now() + interval '1 hour' from generate_series(1, 100)`,
    [full.license_id, full.host_id, full.instance_id],
  );
  await run([late, incapable, capable, full]);
  expect(await stateOf(capable)).toMatchObject({ status: 'running', kind: 'type' });
  expect(await stateOf(late)).toMatchObject({ status: 'skipped', is_open: false, has_moved_on: true });
  expect(await stateOf(incapable)).toMatchObject({ status: 'failed', error_code: 'not_supported', runs: 1 });
  expect(await stateOf(full)).toMatchObject({ status: 'failed', error_code: 'limit_reached', kind: null });
});

it('gives the last place of a host to one of two schedules', async () => {
  const first = await createDue();
  const [row] = await fleet.database.query<{ id: string }>(
    `insert into schedule (license_id, instance_id, name, action, cron, time_zone, created_by, next_run_at)
     select license_id, instance_id, 'second', action, cron, time_zone, 'owner', now() from schedule where id = $1
     returning id`,
    [first.id],
  );
  const second = { ...first, id: row?.id ?? '' };
  await fleet.database.query(
    `insert into command (license_id, host_id, instance_id, kind, args, expires_at)
     select $1, $2, $3, 'restart', '{}', now() + interval '1 hour' from generate_series(1, 99)`,
    [first.license_id, first.host_id, first.instance_id],
  );
  await run([first, second]);
  expect(await stateOf(first)).toMatchObject({ status: 'running' });
  expect(await stateOf(second)).toMatchObject({ status: 'failed', error_code: 'limit_reached' });
});

const holders: [string, string, (made: Made) => string][] = [
  ['the schedule', 'select 1 from schedule where id = $1 for update', ({ id }) => id],
  ['the license', 'select 1 from license where id = $1 for update', (made) => made.license_id],
  ['the instance', 'select 1 from game_instance where id = $1 for update', (made) => made.instance_id],
  [
    'the limit of the host',
    `select pg_advisory_xact_lock(hashtextextended('limit commands ' || $1, 0))`,
    (made) => made.host_id,
  ],
];

it.each(holders)('does not wait for a transaction that holds %s', async (_what, statement, idOf) => {
  const held = await createDue();
  const free = await createDue();
  const done = await fleet.database.whileHeld(statement, [idOf(held)], () => run([held, free]));
  expect(done).toEqual([free.id]);
  expect(await stateOf(held)).toMatchObject(untouched);
  expect(await run([held])).toEqual([held.id]);
});
