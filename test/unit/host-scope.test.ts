// Reports of agents run in the license of their host and reach no rows of other licenses.
import { randomUUID } from 'node:crypto';
import type { EntityManager } from '../../src/database/connection.ts';
import { HostScope } from '../../src/services/agents/host-scope.ts';
import { openFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';

let fleet: FleetDatabase;
let hosts: HostScope;
let hostId: string;
let foreignHostId: string;

beforeAll(async () => {
  fleet = await openFleetDatabase();
  hosts = new HostScope(fleet.platform, fleet.tenant);
  hostId = await fleet.createHost();
  const [other] = await fleet.database.query<{ id: string }>(
    `with other as (
       insert into license (key, name, subdomain, companion_token_hash) values ('o', 'o', 'o', 'o') returning id
     )
     insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
     select id, 'other', 'test', '0.0.0', 'other' from other returning id`,
  );
  foreignHostId = other?.id ?? '';
});

afterAll(() => fleet.close());

const hostsSeen = async (em: EntityManager) =>
  (await em.execute<{ id: string }[]>('select id from agent_host')).map(({ id }) => id);

it('shows the work the hosts of the license only', async () => {
  expect(await hosts.transact(hostId, hostsSeen)).toEqual([hostId]);
  expect(await hosts.transact(foreignHostId, hostsSeen)).toEqual([foreignHostId]);
});

it('changes no row of another license', async () => {
  await hosts.transact(hostId, (em) => em.execute(`update agent_host set status = 'online'`));
  const online = await fleet.database.query(`select id from agent_host where status = 'online'`);
  expect(online).toEqual([{ id: hostId }]);
});

it('runs no work for an unknown host', async () => {
  const refuse = () => Promise.reject(new Error('the work ran'));
  expect(await hosts.transact(randomUUID(), refuse)).toBeUndefined();
});

it('finds a host that was created after it was first asked for', async () => {
  const late = randomUUID();
  expect(await hosts.transact(late, hostsSeen)).toBeUndefined();
  await fleet.database.query(
    `insert into agent_host (id, license_id, hostname, platform, agent_version, bus_public_key)
     values ($1, $2, 'late', 'test', '0.0.0', 'late')`,
    [late, fleet.licenseId],
  );
  expect((await hosts.transact(late, hostsSeen))?.toSorted()).toEqual([hostId, late].toSorted());
});
