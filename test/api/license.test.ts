// Operations of the area `license`, and the life of a license: what its members can do while it is revoked.
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { notExported, sources } from '../../src/services/license/export.ts';
import { hashSecret } from '../../src/secrets/random-secrets.ts';
import { createAgentKey, openSession, TestAgent } from '../support/agent.ts';
import { createCluster, createInvitation, dumpLicense, createRows, rowsByName } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { signIn, World, type Member, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant({ name: 'Rusty Islands' });
});

afterAll(async () => {
  await world.close();
});

const said = ({ status, body }: Response) => ({ status, code: (body as { code?: string }).code });
const get = (member: Member) => world.call('get', '/api/license', member);
const update = (changes: object, by: Member) => world.call('patch', '/api/license', by).send(changes);
const rotateToken = (by: Member) => world.call('post', '/api/license/rotate-companion-token', by);
const rotateTokenAtOnce = (by: Member) => rotateToken(by).send({ overlap_seconds: 0 });
const tokenOf = ({ body }: Response) => (body as Schemas['CompanionToken']).companion_token;
const setStatus = ({ license }: Tenant, status: string) =>
  world.call('patch', `/api/admin/licenses/${license.id}`, world.admin).send({ status }).expect(200);
const agentSession = (
  token: string,
  hostname = `host-${randomUUID()}`,
  publicKey = createAgentKey().publicKey,
) => openSession(world, token, hostname, publicKey);
const slug = () => `slug-${randomUUID().slice(0, 13)}`;

/** The lines of an export. */
async function exported(
  member: Member,
): Promise<{ table?: string; row?: Record<string, unknown>; end?: true }[]> {
  const { text, headers } = await world
    .call('get', '/api/license/export', member)
    .buffer(true)
    .parse((response, done) => {
      let all = '';
      response.on('data', (chunk: Buffer) => (all += chunk.toString()));
      response.on('end', () => done(null, all));
    })
    .expect(200)
    .then(({ body, headers: got }) => ({ text: body as string, headers: got }));
  expect(headers['content-type']).toBe('application/x-ndjson');
  expect(headers['content-disposition']).toContain('attachment');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { table?: string });
}

describe('getOwnLicense', () => {
  it('returns 200, with the key only for callers who may replace it', async () => {
    const { license, owner } = tenant;
    const { body } = await get(owner).expect(200);
    expect(body).toEqual({
      id: license.id,
      key: license.key,
      name: 'Rusty Islands',
      subdomain: license.subdomain,
      status: 'active',
      is_sandbox: false,
      created_at: license.created_at,
      revoked_at: null,
    });
    const viewer = await world.addMember(tenant, 'Viewer');
    expect((await get(viewer).expect(200)).body).toMatchObject({ id: license.id, key: null });
  });
});

describe('updateOwnLicense', () => {
  it('returns 200 with the given changes, for this license alone', async () => {
    const [own, other] = [await world.createTenant(), await world.createTenant()];
    const subdomain = slug();
    const { body } = await update({ name: 'Rustier', subdomain }, own.owner).expect(200);
    expect(body).toMatchObject({ name: 'Rustier', subdomain, key: own.license.key });
    expect((await update({ name: 'Rustiest' }, own.owner).expect(200)).body).toMatchObject({ subdomain });
    expect((await get(other.owner)).body).toMatchObject({ name: other.license.name });
    await update({}, own.owner).expect(400);
    await update({ subdomain: '-x-' }, own.owner).expect(400);
  });

  it('returns 409 for a reserved subdomain, and for one that another license has just released', async () => {
    const [own, other] = [await world.createTenant(), await world.createTenant()];
    const former = own.license.subdomain;
    await update({ subdomain: slug() }, own.owner).expect(200);
    for (const subdomain of ['www', former])
      expect(said(await update({ subdomain }, other.owner))).toEqual({
        status: 409,
        code: 'subdomain_taken',
      });
    await update({ subdomain: former }, own.owner).expect(200);
    expect((await get(other.owner).expect(200)).body).toMatchObject({ subdomain: other.license.subdomain });
  });

  it('returns 200 and keeps the former subdomain for its license, though another requests it concurrently', async () => {
    const [own, other] = [await world.createTenant(), await world.createTenant()];
    const subdomain = own.license.subdomain;
    const [mine, theirs] = await Promise.all([
      update({ subdomain: slug() }, own.owner),
      update({ subdomain }, other.owner),
    ]);
    expect([mine.status, theirs.status]).toEqual([200, 409]);
  });

  it('returns 200 repeatedly, and the ten latest subdomains are kept', async () => {
    const own = await world.createTenant();
    for (let time = 0; time < 12; time += 1) await update({ subdomain: slug() }, own.owner).expect(200);
    const kept = await world.database.query('select from former_subdomain where license_id = $1', [
      own.license.id,
    ]);
    expect(kept).toHaveLength(10);
    expect((await exported(own.owner)).filter(({ table }) => table === 'former_subdomain')).toHaveLength(10);
  });

  it('returns 409 for a taken subdomain, and for all but one of ten concurrent requests', async () => {
    const own = await world.createTenant();
    expect(said(await update({ subdomain: tenant.license.subdomain }, own.owner))).toEqual({
      status: 409,
      code: 'subdomain_taken',
    });
    const tenants = await Promise.all(Array.from({ length: 10 }, () => world.createTenant()));
    const subdomain = slug();
    const responses = await Promise.all(tenants.map(({ owner }) => update({ subdomain }, owner)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)]);
  });
});

describe('rotateLicenseKey', () => {
  it('returns 200 with another key, which is absent from the audit log', async () => {
    const own = await world.createTenant();
    const { body } = await world.call('post', '/api/license/rotate-key', own.owner).expect(200);
    const { key } = body as Schemas['OwnLicense'];
    expect(key).toMatch(/^GNTRY(-[0-9A-Z]{5}){5}$/);
    expect(key).not.toBe(own.license.key);
    const log = await world.database.query('select * from audit_entry where license_id = $1', [
      own.license.id,
    ]);
    for (const secret of [key, own.license.key]) expect(JSON.stringify(log)).not.toContain(secret);
    expect(log).toContainEqual(
      expect.objectContaining({ operation: 'rotateLicenseKey', after: { key: '[secret]' } }),
    );
  });
});

describe('rotateCompanionToken', () => {
  it('returns 200 with a working token; the previous one works for a day, and no agent is disconnected', async () => {
    const own = await world.createTenant();
    const agent = await TestAgent.connect(world, own);
    const { body } = await rotateToken(own.owner).expect(200);
    const { companion_token, former_token_expires_at } = body as Schemas['CompanionToken'];
    const overlapMs = Date.parse(former_token_expires_at ?? '') - Date.now();
    expect(overlapMs).toBeGreaterThan(86_390_000);
    expect(overlapMs).toBeLessThan(86_410_000);
    for (const token of [own.license.companion_token, companion_token]) {
      const { body: session } = await agentSession(token, agent.hostname, agent.key.publicKey).expect(200);
      expect(session).toMatchObject({ host_id: agent.hostId });
    }
    expect(await agent.hello()).toMatchObject({ ok: true });
    expect(
      await world.database.query('select from bus_revocation where public_key = $1', [agent.key.publicKey]),
    ).toEqual([]);
    const log = JSON.stringify(
      await world.database.query('select * from audit_entry where license_id = $1', [own.license.id]),
    );
    expect(log).not.toContain(hashSecret(own.license.companion_token));
    await agent.close();
  });

  it('returns 200 with the requested overlap; the previous token is rejected after it', async () => {
    const own = await world.createTenant();
    const { body } = await rotateToken(own.owner).send({ overlap_seconds: 600 }).expect(200);
    const { companion_token, former_token_expires_at } = body as Schemas['CompanionToken'];
    expect(Math.abs(Date.parse(former_token_expires_at ?? '') - Date.now() - 600_000)).toBeLessThan(10_000);
    await world.database.query('update license set former_companion_token_expires_at = now() where id = $1', [
      own.license.id,
    ]);
    await agentSession(own.license.companion_token).expect(401);
    await agentSession(companion_token).expect(200);
  });

  it('ends the overlap of an earlier rotation', async () => {
    const own = await world.createTenant();
    const second = tokenOf(await rotateToken(own.owner).expect(200));
    const third = tokenOf(await rotateToken(own.owner).expect(200));
    await agentSession(own.license.companion_token).expect(401);
    for (const token of [second, third]) await agentSession(token).expect(200);
    const fourth = tokenOf(await rotateTokenAtOnce(own.owner).expect(200));
    for (const token of [second, third]) await agentSession(token).expect(401);
    await agentSession(fourth).expect(200);
  });

  it.each([-1, 604_801, 1.5, '60', null])('returns 400 for an overlap of %j', async (overlap_seconds) => {
    await rotateToken(tenant.owner).send({ overlap_seconds }).expect(400);
  });

  it('returns 200 without overlap: rejects the previous token and disconnects its agents (lesson: stale access)', async () => {
    const own = await world.createTenant();
    const agent = await TestAgent.connect(world, own, 'kept-host');
    const token = tokenOf(await rotateTokenAtOnce(own.owner).expect(200));
    expect(token).toMatch(/^gantry_companion_[\w-]{43}$/);
    expect(said(await agentSession(own.license.companion_token))).toEqual({
      status: 401,
      code: 'unauthorized',
    });
    await until(() => agent.connection.isClosed(), 'the disconnection');
    const { body } = await agentSession(token, 'kept-host', agent.key.publicKey).expect(200);
    expect(body).toMatchObject({ host_id: agent.hostId });
    const rows = JSON.stringify(await dumpLicense(world, own.license.id));
    expect(rows).not.toContain(token);
  });

  it('returns 401 for an agent that used the previous token during the replacement', async () => {
    const own = await world.createTenant();
    const reply = await world.database.commitWhileWaiting(
      `update license set companion_token_hash = 'another' where id = $1`,
      [own.license.id],
      () => agentSession(own.license.companion_token),
    );
    expect(said(reply)).toEqual({ status: 401, code: 'unauthorized' });
    const hosts = await world.database.query('select from agent_host where license_id = $1', [
      own.license.id,
    ]);
    expect(hosts).toHaveLength(0);
  });

  it('returns the same token for the same Idempotency-Key', async () => {
    const own = await world.createTenant();
    const key = randomUUID();
    const first = tokenOf(await rotateToken(own.owner).set('Idempotency-Key', key).expect(200));
    expect(tokenOf(await rotateToken(own.owner).set('Idempotency-Key', key).expect(200))).toBe(first);
    await agentSession(first).expect(200);
  });
});

describe('exportLicenseData', () => {
  it('returns 200 with every row of the license, none of another and no secret', async () => {
    const [own, other] = [await world.createTenant(), await world.createTenant()];
    const names = Object.keys(rowsByName);
    await Promise.all([createRows(names, world, own), createRows(names, world, other)]);
    await createInvitation(world, own, { token_hash: 'the-hash-of-a-token' });
    const lines = await exported(own.owner);
    expect(lines.at(-1)).toEqual({ end: true });
    const dump = await dumpLicense(world, own.license.id);
    for (const { name, from, secrets = [] } of sources) {
      const rows = lines.filter(({ table }) => table === name).map(({ row }) => row);
      // The dump leaves out other licenses' rows and those that jobs may have added since.
      if (from !== undefined || !(name in dump)) continue;
      const stored = ((dump[name] ?? []) as Record<string, unknown>[]).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([column]) => !secrets.includes(column))),
      );
      expect([name, rows.length]).toEqual([name, stored.length]);
      expect(rows).toEqual(expect.arrayContaining(stored));
    }
    const text = JSON.stringify(lines);
    for (const secret of ['the-hash-of-a-token', 'companion_token_hash":"', other.license.id])
      expect(text).not.toContain(secret.replace('":"', '\\":\\"'));
    expect(
      lines.filter(({ table }) => table === 'member_account').map(({ row }) => row?.['email']),
    ).toContain(own.owner.email);
  });

  it('has every table with rows of licenses, or lists it as excluded', async () => {
    const tables = await world.database.query<{ name: string }>(
      `select c.relname as name from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'license_id' and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
    );
    const known = [...sources.map(({ name }) => name), ...notExported];
    expect(tables.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('is complete for a table that takes many reads', async () => {
    const own = await world.createTenant();
    await world.database.query(
      `insert into instance_cluster (license_id, name) select $1, 'Cluster ' || n from generate_series(1, 2500) n`,
      [own.license.id],
    );
    const lines = (await exported(own.owner)).filter(({ table }) => table === 'instance_cluster');
    expect(new Set(lines.map(({ row }) => row?.['id'])).size).toBe(2500);
  });

  it('aborts when its reader is removed meanwhile (lesson: stale access)', async () => {
    const own = await world.createTenant();
    const reader = await world.addMemberWith(own, { 'license.export': true });
    await world.database.query(
      `insert into instance_cluster (license_id, name, description)
       select $1, 'Cluster ' || n, repeat('x', 10000) from generate_series(1, 3000) n`,
      [own.license.id],
    );
    const response = await fetch(`${world.url}/api/license/export`, {
      headers: { authorization: `Bearer ${reader.token}` },
    });
    const stream = response.body?.getReader();
    expect((await stream?.read())?.done).toBe(false);
    const members = await world.call('get', '/api/team/members', own.owner).expect(200);
    const { id = '' } =
      (members.body as Schemas['MemberPage']).data.find(({ email }) => email === reader.email) ?? {};
    await world.call('delete', `/api/team/members/${id}`, own.owner).expect(204);
    const readToEnd = async () => {
      while ((await stream?.read())?.done === false);
    };
    await expect(readToEnd()).rejects.toThrow();
  });

  it('returns 403 for a Head Admin', async () => {
    const admin = await world.addMember(tenant, 'Head Admin');
    expect(said(await world.call('get', '/api/license/export', admin))).toEqual({
      status: 403,
      code: 'forbidden',
    });
  });
});

describe('a revoked license', () => {
  /**
   * Everything but logs, which have grown, and agents, which were disconnected, is unchanged once the license
   * is active again.
   */
  async function restored({ license }: Tenant): Promise<Record<string, unknown>> {
    const {
      audit_entry: _log,
      event_log: _events,
      event_sequence: _sequence,
      license_activity: _activity,
      agent_host: _hosts,
      ...rows
    } = await dumpLicense(world, license.id);
    return rows;
  }

  it('refuses everyone but lets its Owner read and export it; activating restores everything', async () => {
    const own = await world.createTenant();
    const admin = await world.addMember(own, 'Head Admin');
    const all = await world.addMemberWith(own, { '*': true });
    await createCluster(world, own);
    const agent = await TestAgent.connect(world, own, 'some-host');
    const before = await restored(own);
    await setStatus(own, 'revoked');
    const refused = { status: 403, code: 'license_revoked' };
    for (const member of [own.owner, admin, all]) {
      expect(said(await world.call('get', '/api/fleet/clusters', member))).toEqual(refused);
      expect(said(await world.call('delete', '/api/team/membership', member))).toEqual(refused);
    }
    for (const member of [admin, all]) {
      expect(said(await get(member))).toEqual(refused);
      expect(said(await world.call('get', '/api/license/export', member))).toEqual(refused);
    }
    expect(said(await update({ name: 'x' }, own.owner))).toEqual(refused);
    expect(said(await rotateToken(own.owner))).toEqual(refused);
    expect(said(await agentSession(own.license.companion_token))).toEqual(refused);
    await until(() => agent.connection.isClosed(), 'the disconnection');
    expect((await get(own.owner).expect(200)).body).toMatchObject({
      status: 'revoked',
      revoked_at: expect.any(String),
    });
    expect((await exported(own.owner)).at(-1)).toEqual({ end: true });

    await setStatus(own, 'active');
    const rows = await restored(own);
    expect(rows).toEqual(before);
    for (const member of [own.owner, admin, all])
      await world.call('get', '/api/fleet/clusters', member).expect(200);
    const { companion_token } = own.license;
    const { body } = await agentSession(companion_token, 'some-host', agent.key.publicKey).expect(200);
    expect(body).toMatchObject({ host_id: agent.hostId });
  });

  it('can be selected by an Owner with other licenses, and by no other role', async () => {
    const [own, other] = [await world.createTenant(), await world.createTenant()];
    await world.join(own, other.owner.email, 'Owner');
    const admin = await world.addMember(other, 'Viewer');
    await world.join(own, admin.email, 'Head Admin');
    await setStatus(own, 'revoked');
    const choose = (member: Member) =>
      world.call('post', '/auth/switch-license', member).send({ license_id: own.license.id });
    expect(said(await choose(admin))).toEqual({ status: 403, code: 'license_revoked' });
    const { body } = await choose(other.owner).expect(200);
    const token = (body as Schemas['LicenseSwitchResult']).access_token;
    await world.call('get', '/api/license', { token }).expect(200);
    expect((await signIn(world.url, other.owner.email)).session.license_id).toBe(other.license.id);
  });
});
