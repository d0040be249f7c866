// The goodbye of a host waits for its rows, because it is reported only once.
import { randomUUID } from 'node:crypto';
import type { Announcements } from '../../src/bus/announcements.ts';
import { HostScope } from '../../src/services/agents/host-scope.ts';
import { AgentReports } from '../../src/services/agents/reports.ts';
import type { CommandEnd } from '../../src/services/commands/index.ts';
import { openFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';

let fleet: FleetDatabase;
let reports: AgentReports;

beforeAll(async () => {
  fleet = await openFleetDatabase();
  reports = new AgentReports(new HostScope(fleet.platform, fleet.tenant), {} as Announcements<CommandEnd>);
});
afterAll(() => fleet.close());

it.each([
  ['writes to one of its instances', `update game_instance set players = 3 where id = $1`, 2],
  ['deletes one of them', 'delete from game_instance where id = $1', 1],
])('takes the host offline and reports it while another transaction %s', async (_what, sql, left) => {
  const hostId = await fleet.createHost();
  const [first] = [await fleet.createInstance(hostId), await fleet.createInstance(hostId)];
  await fleet.database.query(`update game_instance set state = 'running' where host_id = $1`, [hostId]);
  await fleet.database.query(
    `update agent_host set status = 'online', last_heartbeat_at = now() where id = $1`,
    [hostId],
  );
  const boot = randomUUID();
  await fleet.database.commitWhileWaiting(sql, [first.id], () =>
    reports.bye(hostId, { v: 1, sent_at: new Date().toISOString(), boot, reason: 'shutdown' }),
  );
  const [host] = await fleet.database.query(
    `select status, is_boot_over, (select array_agg(distinct state) from game_instance where host_id = $1) as states
     from agent_host where id = $1`,
    [hostId],
  );
  expect(host).toEqual({ status: 'offline', is_boot_over: true, states: ['offline'] });
  const events = await fleet.database.query<{ data: { reason: string; instances: unknown[] } }>(
    `select data from event_log where type = 'host.offline' and subject_id = $1::text`,
    [hostId],
  );
  expect(events.map(({ data }) => [data.reason, data.instances.length])).toEqual([['host_goodbye', left]]);
});
