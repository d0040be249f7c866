// The audit log: every change of an audited row, by actor, with before and after, without secrets, and
// immutable.
import type { components } from '../../generated/platform.d.ts';
import { createCluster, createHost, createInstance } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';

interface Entry {
  license_id: string | null;
  actor_kind: string;
  actor_id: string | null;
  actor_label: string | null;
  operation: string | null;
  request_id: string | null;
  source: string | null;
  action: string;
  target_type: string;
  target_id: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ roles: ['api', 'ingest'] });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const entriesOf = (targetId: string) =>
  world.database.query<Entry & Record<string, unknown>>(
    'select * from audit_entry where target_id = $1 order by id',
    [targetId],
  );

it('names the actor and request of a change, with only the changed fields', async () => {
  const path = '/api/fleet/clusters';
  const { body, headers } = await world
    .call('post', path, tenant.owner)
    .send({ name: 'Audited' })
    .expect(201);
  const { id } = body as components['schemas']['InstanceCluster'];
  await world.call('patch', `${path}/${id}`, tenant.owner).send({ name: 'Audited' }).expect(200);
  await world.call('patch', `${path}/${id}`, tenant.owner).send({ description: 'Now with one' }).expect(200);
  await world.call('delete', `${path}/${id}`, tenant.owner).expect(204);
  const entries = await entriesOf(id);
  expect(entries.map(({ action, operation }) => [action, operation])).toEqual([
    ['created', 'createCluster'],
    ['updated', 'updateCluster'],
    ['deleted', 'deleteCluster'],
  ]);
  expect(entries[0]).toMatchObject({
    license_id: tenant.license.id,
    actor_kind: 'user',
    actor_label: tenant.owner.email,
    request_id: headers['x-request-id'],
    source: '127.0.0.1',
    target_type: 'instance_cluster',
    before: null,
    after: { name: 'Audited', description: null },
  });
  expect(entries[1]).toMatchObject({
    before: { description: null },
    after: { description: 'Now with one' },
  });
  expect(Object.keys(entries[1]?.after ?? {})).toEqual(['description']);
  expect(entries[2]).toMatchObject({ before: { name: 'Audited' }, after: null });
});

it('holds nothing of a rolled-back change', async () => {
  const taken = await createCluster(world, tenant, { name: 'Taken' });
  const { body } = await world
    .call('post', '/api/fleet/clusters', tenant.owner)
    .send({ name: 'Taken' })
    .expect(409);
  expect(body).toMatchObject({ code: 'name_taken' });
  const entries = await world.database.query(
    `select 1 from audit_entry where target_type = 'instance_cluster' and after ->> 'name' = 'Taken' and target_id <> $1`,
    [taken],
  );
  expect(entries).toEqual([]);
});

it('records that a secret changed, but never its value', async () => {
  const { id, companion_token } = tenant.license;
  await world.database.query('update license set companion_token_hash = $2 where id = $1', [id, 'another']);
  const entries = await entriesOf(id);
  expect(entries.at(-1)).toMatchObject({
    actor_kind: 'system',
    before: { companion_token_hash: '[secret]' },
    after: { companion_token_hash: '[secret]' },
  });
  const everything = JSON.stringify(await world.database.query('select * from audit_entry'));
  expect(everything).not.toContain(companion_token);
  expect(everything).not.toMatch(/argon2|another/);
});

it('records sign-ins, and entries of no license', async () => {
  const member = await world.addMember(tenant, 'Viewer');
  const [signIn] = await world.database.query<Entry & Record<string, unknown>>(
    `select * from audit_entry where target_type = 'user_session' and after ->> 'user_id' =
       (select id::text from user_account where email = $1)`,
    [member.email],
  );
  expect(signIn).toMatchObject({
    license_id: tenant.license.id,
    operation: 'signIn',
    actor_kind: 'user',
  });
  const [user] = await world.database.query<Entry & Record<string, unknown>>(
    `select * from audit_entry where target_type = 'user_account' and after ->> 'email' = $1`,
    [member.email],
  );
  expect(user).toMatchObject({ license_id: null, after: { password_hash: '[secret]' } });
});

it('does not reveal to one license another one in which a session worked', async () => {
  const other = await world.createTenant();
  const member = await world.addMember(tenant, 'Viewer');
  await world.join(other, member.email, 'Viewer');
  await world.call('post', '/auth/switch-license', member).send({ license_id: other.license.id }).expect(200);
  const [entry] = await world.database.query(
    `select before, after from audit_entry where license_id = $1 and operation = 'switchLicense'`,
    [other.license.id],
  );
  expect(entry).toEqual({
    before: { working_license_id: '[secret]' },
    after: { working_license_id: '[secret]' },
  });
});

it('has no entries for routine reports of agents', async () => {
  const hostId = await createHost(world, tenant);
  const instanceId = await createInstance(world, tenant, { host_id: hostId });
  await world.database.query('update agent_host set cpu_percent = 5 where id = $1', [hostId]);
  await world.database.query(`update game_instance set state = 'running' where id = $1`, [instanceId]);
  expect((await entriesOf(hostId)).map(({ action }) => action)).toEqual(['created']);
  expect(await entriesOf(instanceId)).toEqual([]);
});

it('cannot be changed, not even by the role that owns it', async () => {
  await world.database.query(`select create_month_partitions('audit_entry', '2031-05-01', 1)`);
  const partitions = await world.database.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_entry'::regclass`,
  );
  expect(partitions.map(({ name }) => name)).toContain('audit_entry_2031_05');
  for (const table of ['audit_entry', ...partitions.map(({ name }) => name)]) {
    for (const sql of [`update ${table} set actor_kind = 'x'`, `delete from ${table}`, `truncate ${table}`]) {
      await expect(world.database.query(sql)).rejects.toThrow('never changed');
    }
  }
});
