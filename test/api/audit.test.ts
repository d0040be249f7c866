// Operations of the area `audit`: recorded changes, found by every filter, and exported as CSV.
import pg from 'pg';
import type { components } from '../../generated/platform.d.ts';
import { resourceOfTable, resourceOfTarget } from '../../src/services/audit.ts';
import { enumOf } from '../support/contract.ts';
import { createKeyWithText } from '../support/rows.ts';
import { signIn, World, type Member, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];
type Entry = Schemas['AuditEntry'];

let world: World;
let tenant: Tenant;
let other: Tenant;
let cluster: Schemas['InstanceCluster'];
let requestId: string;

const clusters = '/api/fleet/clusters';
const path = '/api/audit';
const adminPath = '/api/admin/audit';

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  [tenant, other] = await Promise.all([world.createTenant(), world.createTenant()]);
  const { body, headers } = await world
    .call('post', clusters, tenant.owner)
    .send({ name: '=1+1' })
    .expect(201);
  cluster = body as Schemas['InstanceCluster'];
  requestId = String(headers['x-request-id']);
  await world
    .call('patch', `${clusters}/${cluster.id}`, tenant.owner)
    .send({ description: 'a "note",\nof two lines' })
    .expect(200);
  await world.call('post', clusters, other.owner).send({ name: 'Elsewhere' }).expect(201);
});

afterAll(async () => {
  await world.close();
});

async function list(query: Record<string, string> = {}, member: Member = tenant.owner, to = path) {
  const { body } = await world.call('get', to, member).query(query).expect(200);
  return body as Schemas['AuditEntryPage'];
}

const listAll = (query: Record<string, string> = {}) => list(query, world.admin, adminPath);

const summaryOf = ({ action, operation, target_type }: Entry) => `${operation} ${action} ${target_type}`;

async function userIdOf({ email }: Member, of = world): Promise<string> {
  const [user] = await of.database.query<{ id: string }>('select id from user_account where email = $1', [
    email,
  ]);
  return user?.id ?? '';
}

describe('listAuditEntries', () => {
  it('returns 200 newest first, with actor, action, before and after, and the request', async () => {
    const { data } = await list({ target_id: cluster.id });
    expect(data).toEqual([
      expect.objectContaining({
        operation: 'updateCluster',
        action: 'updated',
        before: { description: null },
      }),
      {
        id: expect.any(String),
        recorded_at: expect.stringMatching(/Z$/),
        license_id: tenant.license.id,
        actor: { kind: 'user', id: await userIdOf(tenant.owner), label: tenant.owner.email },
        operation: 'createCluster',
        action: 'created',
        target_type: 'cluster',
        target_id: cluster.id,
        before: null,
        after: expect.objectContaining({ name: '=1+1' }),
        request_id: requestId,
        source: '127.0.0.1',
      },
    ]);
  });

  it('returns 200 page by page, each entry once', async () => {
    const whole = await list({ limit: '100' });
    expect(whole.data.length).toBeGreaterThan(4);
    const seen: Entry[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await list({ limit: '2', ...(cursor !== undefined && { cursor }) });
      seen.push(...page.data);
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(whole.data);
  });

  it('returns 200 with nothing of another license for any filter', async () => {
    const { data } = await list({ limit: '100' });
    expect(data.every(({ license_id }) => license_id === tenant.license.id)).toBe(true);
    expect((await list({ actor: await userIdOf(other.owner) })).data).toEqual([]);
    await world.call('get', `${path}?license_id=${other.license.id}`, tenant.owner).expect(400);
  });

  it.each<[string, () => Promise<Record<string, string>> | Record<string, string>, string[]]>([
    [
      'actor',
      async () => ({ actor: await userIdOf(tenant.owner) }),
      ['updateCluster updated cluster', 'createCluster created cluster', 'signIn created session'],
    ],
    ['target_type', () => ({ target_type: 'member' }), ['createLicense created member']],
    ['operation', () => ({ operation: 'updateCluster' }), ['updateCluster updated cluster']],
    // The session was confirmed in the database, not by an operation.
    ['action', () => ({ action: 'updated' }), ['updateCluster updated cluster', 'null updated session']],
    ['two at once', () => ({ operation: 'updateCluster', action: 'created' }), []],
  ])('returns 200 by %s', async (_name, query, wanted) => {
    expect((await list(await query())).data.map(summaryOf)).toEqual(wanted);
  });

  it('returns 200 by time, from inclusive and to exclusive', async () => {
    const { data } = await list({ target_id: cluster.id });
    const [updated, made] = data.map(({ recorded_at }) => recorded_at);
    const ids = async (query: Record<string, string>) =>
      (await list({ target_id: cluster.id, ...query })).data.map(({ operation }) => operation);
    expect(await ids({ from: updated ?? '' })).toEqual(['updateCluster']);
    expect(await ids({ to: updated ?? '' })).toEqual(['createCluster']);
    expect(await ids({ from: made ?? '', to: made ?? '' })).toEqual([]);
  });

  it('returns 200 for a key with the permission, and its own changes name the key', async () => {
    const { id, key } = await createKeyWithText(world, tenant, { name: 'auditor' });
    await world.call('post', clusters, { token: key }).send({ name: 'of a key' }).expect(201);
    const { data } = await list({ actor: id }, { ...tenant.owner, token: key });
    expect(data).toMatchObject([{ actor: { kind: 'api_key', id, label: 'API key auditor' } }]);
  });

  it('uses a kind of the contract for every actor, and the database accepts no other', async () => {
    const [check] = await world.database.query<{ text: string }>(
      `select pg_get_constraintdef(oid) as text from pg_constraint
       where conname = 'audit_entry_actor_kind_check' and conrelid = 'audit_entry'::regclass`,
    );
    const taken = [...(check?.text ?? '').matchAll(/'(\w+)'/g)].map(([, kind]) => kind);
    expect(taken.toSorted()).toEqual(enumOf('AuditActorKind').toSorted());
  });

  it('holds no secrets of any kind', async () => {
    const text = JSON.stringify(await listAll({ limit: '100' }));
    expect(text).toContain('[secret]');
    expect(text).not.toMatch(/argon2|[0-9a-f]{64}/);
  });
});

describe('as CSV', () => {
  const csv = async (query: Record<string, string> = {}, member = tenant.owner, to = path) =>
    (await world.call('get', to, member).set('Accept', 'text/csv').query(query).expect(200)).text;

  it('returns 200 with the same entries, any number of them, and no formulas', async () => {
    const text = await csv({ limit: '1' });
    const records = parsed(text);
    const { data } = await list({ limit: '100' });
    expect(records.map(({ id }) => id)).toEqual(data.map(({ id }) => id));
    const made = records.find(({ operation }) => operation === 'createCluster');
    expect(Object.keys(records[0] ?? {})).toEqual([
      'id',
      'recorded_at',
      'license_id',
      'actor_kind',
      'actor_id',
      'actor_label',
      'operation',
      'action',
      'target_type',
      'target_id',
      'before',
      'after',
      'request_id',
      'source',
    ]);
    expect(JSON.parse(made?.['after'] ?? '')).toMatchObject({ license_id: tenant.license.id });
    expect(text).not.toMatch(/(^|,)"?[=+@-]/m);
  });

  it('returns 200 by the format parameter, regardless of Accept, with the columns of the filter', async () => {
    const reply = await world
      .call('get', `${path}?format=csv&operation=updateCluster`, tenant.owner)
      .set('Accept', 'application/json')
      .expect(200);
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(parsed(reply.text)).toMatchObject([{ target_id: cluster.id }]);
    await world
      .call('get', `${path}?format=json`, tenant.owner)
      .set('Accept', 'text/csv')
      .expect(200)
      .expect('content-type', /json/);
  });

  it('continues over as many pages as needed', async () => {
    const own = await World.create({ roles: ['api'] });
    try {
      const big = await own.createTenant();
      await own.database.query(
        `insert into audit_entry (license_id, actor_kind, action, target_type, target_id)
         select $1, 'system', 'created', 'instance_cluster', n::text from generate_series(1, 2500) n`,
        [big.license.id],
      );
      for (const [to, member] of [
        [path, big.owner],
        [adminPath, own.admin],
      ] as const) {
        const { text } = await own.call('get', to, member).query({ format: 'csv', target_type: 'cluster' });
        expect(new Set(parsed(text).map(({ id }) => id)).size).toBe(2_500);
      }
    } finally {
      await own.close();
    }
  });
});

describe('a large export', () => {
  let own: World;
  let big: Tenant;

  beforeAll(async () => {
    own = await World.create({ roles: ['api'] });
    big = await own.createTenant();
  });

  afterAll(async () => {
    await own.close();
  });

  /** Entries of that operation, each of the given size. */
  const fill = (operation: string, count: number, characters: number) =>
    own.database.query(
      `insert into audit_entry (license_id, actor_kind, action, target_type, target_id, operation, after)
       select $1, 'system', 'created', 'instance_cluster', n::text, $2, jsonb_build_object('x', repeat('x', $4))
       from generate_series(1, $3) n`,
      [big.license.id, operation, count, characters],
    );

  it('returns 422 for more than 100,000 entries before sending any, and 200 for exactly as many', async () => {
    await fill('tooMany', 100_001, 1);
    const call = (to: string, member: Member, query: Record<string, string>) =>
      own.call('get', to, member).query({ format: 'csv', operation: 'tooMany', ...query });
    for (const [to, member] of [
      [path, big.owner],
      [adminPath, own.admin],
    ] as const) {
      const { body } = await call(to, member, {}).expect(422);
      expect(body).toMatchObject({ code: 'export_too_large' });
    }
    const [newest] = await own.database.query<{ id: string }>(
      `select id from audit_entry where operation = 'tooMany' order by id desc limit 1`,
    );
    const cursor = Buffer.from(newest?.id ?? '').toString('base64url');
    const { text } = await call(path, big.owner, { cursor }).expect(200);
    expect(text.trimEnd().split('\n')).toHaveLength(100_001);
  });

  it('aborts when its reader loses the permission (lesson: stale access)', async () => {
    await fill('stale', 30_000, 1_000);
    const reader = await own.addMemberWith(big, { 'audit.view': true });
    const admin = await signIn(own.url, await own.createUser());
    const { id, key } = await createKeyWithText(own, big);
    const patchUser = async (changes: object) =>
      own
        .call('patch', '/api/admin/users', own.admin)
        .send({ user_id: await userIdOf(admin, own), ...changes })
        .expect(200);
    await patchUser({ is_super_admin: true });
    for (const [to, token, end] of [
      [path, reader.token, () => removeMember(reader)],
      [path, key, () => own.call('delete', `/api/api-keys/${id}`, big.owner).expect(204)],
      [adminPath, admin.token, () => patchUser({ is_super_admin: false })],
    ] as const) {
      const response = await fetch(`${own.url}${to}?format=csv&operation=stale`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const stream = response.body?.getReader();
      expect((await stream?.read())?.done).toBe(false);
      await end();
      const readToEnd = async () => {
        while ((await stream?.read())?.done === false);
      };
      await expect(readToEnd()).rejects.toThrow();
    }
  });

  async function removeMember({ email }: Member): Promise<void> {
    const { body } = await own.call('get', '/api/team/members', big.owner).expect(200);
    const { id = '' } = (body as Schemas['MemberPage']).data.find((member) => member.email === email) ?? {};
    await own.call('delete', `/api/team/members/${id}`, big.owner).expect(204);
  }
});

describe('listPlatformAuditEntries', () => {
  it('returns 200 with entries of no license and of all licenses', async () => {
    const { data } = await listAll({ limit: '100' });
    const licenses = new Set(data.map(({ license_id }) => license_id));
    expect([...licenses]).toEqual(expect.arrayContaining([null, tenant.license.id, other.license.id]));
  });

  it('returns 200 for one license', async () => {
    const { data } = await listAll({ license_id: other.license.id, operation: 'createCluster' });
    expect(data).toMatchObject([{ license_id: other.license.id, after: { name: 'Elsewhere' } }]);
  });

  it('returns 200 with a name of the API for every audited table', async () => {
    const audited = await world.database.query<{ table: string }>(
      `select distinct coalesce(parent.relname, own.relname) as table
       from pg_trigger join pg_class own on own.oid = tgrelid
       left join pg_inherits on inhrelid = own.oid left join pg_class parent on parent.oid = inhparent
       where tgname = 'audited' order by 1`,
    );
    expect(Object.keys(resourceOfTable).toSorted()).toEqual(audited.map(({ table }) => table));
    expect(Object.values(resourceOfTarget).toSorted()).toEqual(enumOf('AuditTargetType').toSorted());
  });
});

it('every filter uses an index in the order of the list', async () => {
  const options = '-c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off';
  const client = new pg.Client({ connectionString: world.database.url, options });
  await client.connect();
  try {
    for (const condition of [
      `license_id = '${tenant.license.id}'`,
      `license_id = '${tenant.license.id}' and actor_id = 'x'`,
      `license_id = '${tenant.license.id}' and operation = 'x'`,
      `license_id = '${tenant.license.id}' and target_type = 'x' and target_id = 'x'`,
      `actor_id = 'x'`,
      `target_type = 'x' and target_id = 'x'`,
    ]) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain select id from audit_entry where ${condition} order by id desc limit 26`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('Index Cond');
      // Without statistics the planner may take one license's entries of an actor for all of that actor's.
      expect(plan.replace(/Filter: \(license_id = '[^']*'::uuid\)/g, '')).not.toMatch(
        /Filter|Seq Scan|-> {2}(Incremental )?Sort/,
      );
    }
  } finally {
    await client.end();
  }
});

/** The records of a CSV text, keyed by the names in its first line. */
function parsed(text: string): Record<string, string>[] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n"]*))(,|\n|$)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\n') lines.push([]);
  }
  const [names = [], ...records] = lines.filter(({ length }) => length > 1);
  return records.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}
