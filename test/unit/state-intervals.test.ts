// State intervals of instances are the same for any order and repetition of reports.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Announcements } from '../../src/bus/announcements.ts';
import type { BusSchemas } from '../../src/platform-contract/bus-types.ts';
import { PlayedMaps } from '../../src/ingest/played-maps.ts';
import { storeHeartbeats } from '../../src/ingest/write-heartbeats.ts';
import { HostScope } from '../../src/services/agents/host-scope.ts';
import { AgentReports } from '../../src/services/agents/reports.ts';
import type { CommandEnd } from '../../src/services/commands/index.ts';
import { openFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';

type State = BusSchemas['InstanceState'];

let fleet: FleetDatabase;
let reports: AgentReports;
let hostId: string;
let boot: string;
let seq = 0;

beforeAll(async () => {
  fleet = await openFleetDatabase();
  reports = new AgentReports(
    new HostScope(fleet.platform, fleet.tenant),
    {} as Announcements<CommandEnd>,
    7 * 24,
  );
});
afterAll(() => fleet.close());
beforeEach(async () => {
  hostId = await fleet.createHost();
  boot = randomUUID();
});

const base = Math.floor(Date.now() / 1000) * 1000 - 86_400_000;
const at = (ms: number) => new Date(base + ms).toISOString();

/** Heartbeats count as received when they were sent. */
async function beat(instance: string, ms: number, state: State, uptimeSeconds = 0, ofBoot = boot) {
  const receivedAt = new Date(base + ms);
  const sent = {
    v: 1 as const,
    sent_at: receivedAt.toISOString(),
    boot: ofBoot,
    seq: ++seq,
    agent_version: '0.0.0',
    host: {
      cpu_percent: 0,
      memory_used_bytes: 0,
      memory_total_bytes: 0,
      disk_used_bytes: 0,
      disk_total_bytes: 0,
    },
    instances: [{ name: instance, state, uptime_seconds: uptimeSeconds }],
  };
  await storeHeartbeats(fleet.connection.pool, [{ hostId, beat: sent, receivedAt }], new PlayedMaps());
}

function sendState(instance: string, state: State, ms: number, order: number) {
  return reports.instanceState(hostId, {
    v: 1,
    id: randomUUID(),
    boot,
    seq: order,
    instance,
    state,
    at: at(ms),
  });
}

const sayGoodbye = () =>
  reports.bye(hostId, { v: 1, sent_at: new Date().toISOString(), boot, reason: 'shutdown' });

/** As `from–to state`, in milliseconds since the base. */
async function intervalsOf(instance: string): Promise<string[]> {
  const rows = await fleet.database.query<{ from_at: Date; to_at: Date | null; state: string }>(
    `select from_at, to_at, known.state from instance_state_interval as known
     join game_instance on game_instance.id = instance_id where name = $1 order by from_at`,
    [instance],
  );
  rows.forEach((row, index) => expect(row.to_at).toEqual(rows[index + 1]?.from_at ?? null));
  return rows.map(({ from_at, state }) => `${from_at.getTime() - base} ${state}`);
}

const newName = () => `instance-${randomUUID()}`;

it('are the same for any order and repetition of the reports', async () => {
  const states = fc.constantFrom<State>('stopped', 'starting', 'running', 'stopping', 'crashed');
  const steps = fc.array(fc.record({ state: states, pause: fc.constantFrom(0, 1, 5, 1_000) }), {
    minLength: 1,
    maxLength: 9,
  });
  const history = steps.chain((reports) => {
    const all = reports.map(({ state }, index) => ({
      state,
      order: index + 1,
      ms: reports.slice(0, index + 1).reduce((sum, { pause }) => sum + pause, 0),
    }));
    return fc.record({
      reports: fc.constant(all),
      arriving: fc
        .shuffledSubarray([...all, ...all], { minLength: all.length })
        .map((some) => [...some, ...all.filter((report) => !some.includes(report))]),
    });
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ reports, arriving }) => {
      const instance = newName();
      boot = randomUUID();
      for (const { state, ms, order } of arriving) await sendState(instance, state, ms, order);
      const last = new Map(reports.map(({ state, ms }) => [ms, state]));
      expect(await intervalsOf(instance)).toEqual([...last].map(([ms, state]) => `${ms} ${state}`));
    }),
    { numRuns: 40 },
  );
});

it('follow heartbeats without a report of the change', async () => {
  const instance = newName();
  await beat(instance, 0, 'starting');
  await beat(instance, 10_000, 'running');
  await beat(instance, 20_000, 'running');
  await beat(instance, 30_000, 'crashed');
  expect(await intervalsOf(instance)).toEqual(['0 starting', '10000 running', '30000 crashed']);
});

it("use a report's own time when it arrives after a heartbeat with the same state", async () => {
  const instance = newName();
  await beat(instance, 0, 'starting');
  await beat(instance, 10_000, 'running');
  await sendState(instance, 'running', 4_000, 1);
  await sendState(instance, 'running', 4_000, 1);
  expect(await intervalsOf(instance)).toEqual(['0 starting', '4000 running', '10000 running']);
});

it('are offline from the last heartbeat on, until the host is heard again', async () => {
  const instance = newName();
  await beat(instance, 0, 'running', 5);
  await beat(instance, 10_000, 'running', 15);
  await sayGoodbye();
  expect(await intervalsOf(instance)).toEqual(['0 running', '10000 offline']);
  await beat(instance, 60_000, 'running', 20, randomUUID());
  expect(await intervalsOf(instance)).toEqual(['0 running', '10000 offline', '40000 running']);
});

it('are uninterrupted when the same process is heard of again', async () => {
  const instance = newName();
  await beat(instance, 0, 'running', 5);
  await sayGoodbye();
  await beat(instance, 60_000, 'running', 65, randomUUID());
  expect(await intervalsOf(instance)).toEqual(['0 running']);
});

it("accept an agent's late report about the time of silence", async () => {
  const instance = newName();
  await beat(instance, 0, 'running', 5);
  await sayGoodbye();
  await sendState(instance, 'crashed', 20_000, 1);
  await sendState(instance, 'starting', 21_000, 2);
  await sendState(instance, 'running', 30_000, 3);
  await beat(instance, 60_000, 'running', 39, randomUUID());
  expect(await intervalsOf(instance)).toEqual([
    '0 running',
    '1 offline',
    '20000 crashed',
    '21000 starting',
    '30000 running',
  ]);
});

it('end with the instance', async () => {
  const { id, name } = await fleet.createInstance(hostId);
  expect(await intervalsOf(name)).toHaveLength(1);
  await fleet.database.query('delete from game_instance where id = $1', [id]);
  expect(
    await fleet.database.query('select from instance_state_interval where instance_id = $1', [id]),
  ).toEqual([]);
});
