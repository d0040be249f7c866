// Late reports of an agent count after an outage, but never rewrite what was received before.
import { randomUUID } from 'node:crypto';
import type { Announcements } from '../../src/bus/announcements.ts';
import { PlayedMaps } from '../../src/ingest/played-maps.ts';
import { storeHeartbeats } from '../../src/ingest/write-heartbeats.ts';
import { HostScope } from '../../src/services/agents/host-scope.ts';
import { AgentReports } from '../../src/services/agents/reports.ts';
import type { CommandEnd } from '../../src/services/commands/index.ts';
import { billOf } from '../../src/services/resellers/bills.ts';
import { openFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';

const hour = 3_600_000;
const now = Date.now();
const ago = (hours: number) => new Date(now - hours * hour);

let fleet: FleetDatabase;
let reports: AgentReports;
let hostId: string;
let boot: string;
let seq = 0;

beforeAll(async () => {
  fleet = await openFleetDatabase();
  reports = new AgentReports(new HostScope(fleet.platform, fleet.tenant), {} as Announcements<CommandEnd>);
});
afterAll(() => fleet.close());
beforeEach(async () => {
  hostId = await fleet.createHost();
  boot = randomUUID();
});

/** Heartbeats count as received now, regardless of their sent time. */
async function beat(instance: string, sentAt = new Date()) {
  const sent = {
    v: 1 as const,
    sent_at: sentAt.toISOString(),
    boot,
    seq: ++seq,
    agent_version: '0.0.0',
    host: {
      cpu_percent: 0,
      memory_used_bytes: 0,
      memory_total_bytes: 0,
      disk_used_bytes: 0,
      disk_total_bytes: 0,
    },
    instances: [{ name: instance, state: 'running' as const, uptime_seconds: 0 }],
  };
  await storeHeartbeats(
    fleet.connection.pool,
    [{ hostId, beat: sent, receivedAt: new Date() }],
    new PlayedMaps(),
  );
}

const report = (instance: string, state: 'running' | 'stopped' | 'crashed', at: Date) =>
  reports.instanceState(hostId, {
    v: 1,
    id: randomUUID(),
    boot,
    seq: ++seq,
    instance,
    state,
    at: at.toISOString(),
  });

/** How many hours the instance has run by now, to the nearest tenth. */
async function hoursRun(instance: string): Promise<number> {
  const [row] = await fleet.database.query<{ hours: number }>(
    `select coalesce(sum(extract(epoch from coalesce(to_at, now()) - from_at)), 0)::float8 / 3600 as hours
     from instance_state_interval as known join game_instance on game_instance.id = instance_id
     where name = $1 and known.state = 'running'`,
    [instance],
  );
  return Math.round((row?.hours ?? 0) * 10) / 10;
}

/** An instance that the platform has received as running for that long, until now. */
async function heardRunning(hours: number): Promise<string> {
  const { id, name } = await fleet.createInstance(hostId);
  await beat(name);
  await fleet.database.query('delete from instance_state_interval where instance_id = $1', [id]);
  await fleet.database.query(
    `insert into instance_state_interval (license_id, instance_id, from_at, state) values ($1, $2, $3, 'running')`,
    [fleet.licenseId, id, ago(hours)],
  );
  return name;
}

it('cannot erase received states: they reach back two hours at most', async () => {
  const name = await heardRunning(240);
  await report(name, 'stopped', ago(239.9));
  expect(await hoursRun(name)).toBe(238);
});

it('cannot make a new game server older, neither by a report nor by a heartbeat', async () => {
  await beat('old', ago(500));
  await report('other', 'running', ago(500));
  expect([await hoursRun('old'), await hoursRun('other')]).toEqual([2, 2]);
});

it.each(['before', 'after'])(
  'counts what happened in an outage, reported %s the next heartbeat',
  async (when) => {
    const name = await heardRunning(240);
    await fleet.database.query('update agent_host set last_heartbeat_at = $2 where id = $1', [
      hostId,
      ago(30),
    ]);
    if (when === 'after') await beat(name);
    await report(name, 'crashed', ago(29));
    await report(name, 'running', ago(9));
    if (when === 'before') await beat(name);
    expect(await hoursRun(name)).toBe(220);
  },
);

it('the bill excludes game servers that no heartbeat has named', async () => {
  const [reseller] = await fleet.database.query<{ id: string }>(
    `insert into reseller (name, key_identifier, key_hash) values ('r', 'r', 'r') returning id`,
  );
  const resellerId = reseller?.id ?? '';
  await fleet.database.query(
    `insert into reseller_rate (reseller_id, from_month, amount, currency, unit) values ($1, '2020-01', 600, 'USD', 'instance')`,
    [resellerId],
  );
  await fleet.database.query(
    `insert into reseller_license (reseller_id, license_id, server_id, hostname, customer_email)
     values ($1, $2, 's', 'h', 'c@example.com')`,
    [resellerId, fleet.licenseId],
  );
  const instancesBilled = async () => {
    const later = new Date(Date.now() + 1_000);
    const bill = await fleet.platform.read('jobs', (queries) =>
      billOf(queries, resellerId, later.toISOString().slice(0, 7), later),
    );
    return bill.instanceCount ?? 0;
  };
  const before = await instancesBilled();
  await report('invented', 'running', new Date());
  expect(await instancesBilled()).toBe(before);
  await fleet.database.query(`delete from game_instance where name = 'invented'`);
  expect(await instancesBilled()).toBe(before);
  await report('true', 'running', new Date());
  await beat('true');
  expect(await instancesBilled()).toBe(before + 1);
});
