// Operations of the area `team`: members of a license, invitations and removals.
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { ConsoleSocket } from '../support/console-socket.ts';
import { forPlainText } from '../../src/text/neutral-text.ts';
import { someId } from '../support/contract.ts';
import { createInstance, createInvitation, createRole } from '../support/rows.ts';
import { unlessBusy, until } from '../support/until.ts';
import { password, signIn, World, type Member, type Tenant } from '../support/world.ts';

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
const newAddress = () => `invited-${randomUUID().slice(0, 8)}@example.com`;

async function roleId({ license }: Tenant, name: string): Promise<string> {
  const [role] = await world.database.query<{ id: string }>(
    'select id from role where license_id = $1 and name = $2',
    [license.id, name],
  );
  return role?.id ?? '';
}

async function memberId({ license }: Tenant, { email }: { email: string }): Promise<string> {
  const [member] = await world.database.query<{ id: string }>(
    `select m.id from membership m join user_account u on u.id = m.user_id
     where m.license_id = $1 and u.email = $2`,
    [license.id, email],
  );
  return member?.id ?? '';
}

const setRole = async (by: Member, member: Member, role: string, of: Tenant = tenant) =>
  world
    .call('patch', `/api/team/members/${await memberId(of, member)}`, by)
    .send({ role_id: await roleId(of, role) });
const remove = async (by: Member, member: Member, of: Tenant = tenant) =>
  world.call('delete', `/api/team/members/${await memberId(of, member)}`, by);
const leave = (member: Member) => world.call('delete', '/api/team/membership', member);
const invite = async (by: Member, email: string, role: string, of: Tenant = tenant) =>
  world.call('post', '/api/team/invitations', by).send({ email, role_id: await roleId(of, role) });
const accept = (body: object) => world.call('post', '/auth/invitations/accept').send(body);
const invitedTo = async (email: string) => (await world.mailTo(email)).token;
const fleet = (member: { token: string }) => world.call('get', '/api/fleet/instances', member);

/** The number of enabled Owners of the license. */
async function ownersOf({ license }: Tenant): Promise<number> {
  const [row] = await world.database.query<{ count: number }>(
    `select count(*)::int from membership m join role r on r.id = m.role_id join user_account u on u.id = m.user_id
     where m.license_id = $1 and r.is_system and r.name = 'Owner' and not u.is_disabled`,
    [license.id],
  );
  return row?.count ?? 0;
}

describe('listMembers', () => {
  it('returns 200 with all members, oldest membership first, page by page', async () => {
    const own = await world.createTenant();
    const others = [await world.addMember(own, 'Viewer'), await world.addMember(own, 'Moderator')];
    const first = await world.call('get', '/api/team/members?limit=2', own.owner).expect(200);
    const page = first.body as Schemas['MemberPage'];
    expect(page.data[0]).toEqual({
      id: await memberId(own, own.owner),
      user_id: expect.any(String),
      email: own.owner.email,
      is_disabled: false,
      role: { id: await roleId(own, 'Owner'), name: 'Owner' },
      created_at: expect.any(String),
    });
    const rest = await world
      .call('get', `/api/team/members?limit=2&cursor=${page.next_cursor ?? ''}`, own.owner)
      .expect(200);
    const all = [...page.data, ...(rest.body as Schemas['MemberPage']).data];
    expect(all.map(({ email, role }) => [email, role.name])).toEqual([
      [own.owner.email, 'Owner'],
      [others[0]?.email, 'Viewer'],
      [others[1]?.email, 'Moderator'],
    ]);
  });
});

describe('changeMemberRole', () => {
  it('returns 200 with the new role', async () => {
    const member = await world.addMember(tenant, 'Viewer');
    const response = await setRole(tenant.owner, member, 'Moderator');
    expect([response.status, response.body]).toMatchObject([
      200,
      { email: member.email, role: { name: 'Moderator' } },
    ]);
  });

  it('returns 404 for an unknown member or role', async () => {
    const member = await world.addMember(tenant, 'Viewer');
    const id = await memberId(tenant, member);
    const send = (path: string, role: string) =>
      world.call('patch', `/api/team/members/${path}`, tenant.owner).send({ role_id: role });
    expect(said(await send(someId, await roleId(tenant, 'Viewer')))).toEqual({
      status: 404,
      code: 'not_found',
    });
    expect(said(await send(id, someId))).toEqual({ status: 404, code: 'not_found' });
  });

  it('returns 403 for a role that holds more than the caller does, for their own membership too', async () => {
    const [admin, member] = [
      await world.addMember(tenant, 'Head Admin'),
      await world.addMember(tenant, 'Viewer'),
    ];
    const beyond = { status: 403, code: 'beyond_own_permissions' };
    expect(said(await setRole(admin, member, 'Owner'))).toEqual(beyond);
    expect(said(await setRole(admin, admin, 'Owner'))).toEqual(beyond);
    expect(said(await setRole(admin, member, 'Head Admin')).status).toBe(200);
  });

  it('returns 403 for a member who holds more than the caller does', async () => {
    const admin = await world.addMember(tenant, 'Head Admin');
    const other = await world.addMember(tenant, 'Owner');
    expect(said(await setRole(admin, other, 'Viewer'))).toEqual({
      status: 403,
      code: 'beyond_own_permissions',
    });
    await remove(tenant.owner, other);
  });

  it('returns 409 for the last Owner; 200 once there is another with an enabled account', async () => {
    const own = await world.createTenant();
    expect(said(await setRole(own.owner, own.owner, 'Viewer', own))).toEqual({
      status: 409,
      code: 'last_owner',
    });
    const other = await world.addMember(own, 'Owner');
    const lock = (isLocked: boolean) =>
      world.database.query('update user_account set is_disabled = $2 where email = $1', [
        other.email,
        isLocked,
      ]);
    await lock(true);
    expect(said(await setRole(own.owner, own.owner, 'Viewer', own))).toEqual({
      status: 409,
      code: 'last_owner',
    });
    await lock(false);
    expect((await setRole(own.owner, own.owner, 'Viewer', own)).status).toBe(200);
  });

  it('returns 200 for the last Owner whose role stays Owner', async () => {
    const own = await world.createTenant();
    expect((await setRole(own.owner, own.owner, 'Owner', own)).status).toBe(200);
  });

  it('returns 403 for a permission the caller had when the call began and has lost since', async () => {
    const own = await world.createTenant();
    const [admin, member] = [await world.addMember(own, 'Head Admin'), await world.addMember(own, 'Viewer')];
    await fleet(admin).expect(200);
    // This change is not published: the access that admitted the call is cached.
    await world.database.query('update membership set role_id = $1 where id = $2', [
      await roleId(own, 'Viewer'),
      await memberId(own, admin),
    ]);
    expect(said(await setRole(admin, member, 'Head Admin', own)).status).toBe(403);
    const [still] = await world.database.query('select role_id from membership where id = $1', [
      await memberId(own, member),
    ]);
    expect(still).toEqual({ role_id: await roleId(own, 'Viewer') });
  });
});

describe('removeMember', () => {
  it('returns 204, and the account and its other licenses stay', async () => {
    const own = await world.createTenant();
    const member = await world.addMember(tenant, 'Viewer');
    await world.join(own, member.email, 'Viewer');
    expect((await remove(tenant.owner, member)).status).toBe(204);
    expect((await signIn(world.url, member.email)).session.license_id).toBe(own.license.id);
  });

  it('returns 403 for a member who holds more, 404 for an unknown member, 409 for the last Owner', async () => {
    const own = await world.createTenant();
    const admin = await world.addMember(own, 'Head Admin');
    expect(said(await remove(admin, own.owner, own))).toEqual({
      status: 403,
      code: 'beyond_own_permissions',
    });
    await world.call('delete', `/api/team/members/${someId}`, own.owner).expect(404);
    expect(said(await remove(own.owner, own.owner, own))).toEqual({ status: 409, code: 'last_owner' });
  });

  it('revokes the invitations that they have sent', async () => {
    const admin = await world.addMember(tenant, 'Head Admin');
    const email = newAddress();
    await invite(admin, email, 'Viewer');
    const token = await invitedTo(email);
    expect((await remove(tenant.owner, admin)).status).toBe(204);
    expect(said(await accept({ token, password }))).toEqual({ status: 401, code: 'invalid_invitation' });
  });
});

describe('leaveTeam', () => {
  it('returns 204 for any role; 409 for the last Owner', async () => {
    const own = await world.createTenant();
    const member = await world.addMember(own, 'Viewer');
    await leave(member).expect(204);
    await fleet(member).expect(401);
    expect(said(await leave(own.owner))).toEqual({ status: 409, code: 'last_owner' });
    expect((await fleet(own.owner)).status).toBe(200);
  });
});

describe('the last owner (lesson: quota race)', () => {
  it('remains when 50 concurrent calls remove, demote and leave', async () => {
    const own = await world.createTenant();
    const owners = [own.owner];
    for (let index = 1; index < 10; index += 1) owners.push(await world.addMember(own, 'Owner'));
    const calls = owners.flatMap((by, index) => {
      const at = (step: number) => owners[(index + step) % owners.length] ?? by;
      return [
        remove(by, at(1), own),
        setRole(by, at(2), 'Viewer', own),
        remove(by, at(3), own),
        setRole(by, by, 'Viewer', own),
        leave(by).then((response) => response),
      ];
    });
    const responses = await Promise.all(calls);
    expect(responses).toHaveLength(50);
    expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await ownersOf(own)).toBe(1);
    expect(responses.map((response) => said(response).code)).toContain('last_owner');
  });
});

describe('stale access (lesson)', () => {
  it('ends within 5 seconds of a new role or a removal, on every replica, and closes open consoles', async () => {
    const replica = await world.addReplica();
    const [demoted, removed] = [
      await world.addMember(tenant, 'Moderator'),
      await world.addMember(tenant, 'Moderator'),
    ];
    const narrow = await createRole(world, tenant, { permissions: { 'team.view': true } });
    const there = (member: Member) =>
      fetch(`${replica.url ?? ''}/api/fleet/instances`, {
        headers: { authorization: `Bearer ${member.token}` },
      });
    for (const member of [demoted, removed]) expect((await there(member)).status).toBe(200);
    const instanceId = await createInstance(world, tenant);
    const sockets = [];
    for (const member of [demoted, removed])
      sockets.push(await ConsoleSocket.open(world, instanceId, member));
    await world
      .call('patch', `/api/team/members/${await memberId(tenant, demoted)}`, tenant.owner)
      .send({ role_id: narrow })
      .expect(200);
    expect((await remove(tenant.owner, removed)).status).toBe(204);
    await fleet(demoted).expect(403);
    await fleet(removed).expect(401);
    await until(async () => (await there(demoted)).status === 403, 'the demotion elsewhere', 5_000);
    await until(async () => (await there(removed)).status === 401, 'the removal elsewhere', 5_000);
    for (const socket of sockets) expect(await socket.closed(5_000)).toBe(4401);
  });
});

describe('inviteMember', () => {
  it('returns 201 and sends a mail whose link adds a new member', async () => {
    const email = newAddress();
    const { status, body } = await invite(
      tenant.owner,
      email.toUpperCase().replace('@EXAMPLE.COM', '@example.com'),
      'Moderator',
    );
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        email,
        role: { id: await roleId(tenant, 'Moderator'), name: 'Moderator' },
        invited_by: tenant.owner.email,
        created_at: expect.any(String),
        expires_at: expect.any(String),
      },
    ]);
    const { created_at, expires_at } = body as Schemas['Invitation'];
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBeGreaterThan(7 * 86_400_000 - 60_000);
    const mail = await world.mailTo(email);
    for (const word of ['Rusty Islands', 'Moderator', forPlainText(tenant.owner.email)])
      expect(mail.text).toContain(word);
    const [{ token_hash = '' } = {}] = await world.database.query<{ token_hash: string }>(
      'select token_hash from invitation where email = $1',
      [email],
    );
    expect(token_hash).toMatch(/^[0-9a-f]{64}$/);
    const log = await world.database.query('select before, after from audit_entry where target_type = $1', [
      'invitation',
    ]);
    expect(JSON.stringify(log)).not.toContain(token_hash);
    const joined = await accept({ token: mail.token, password }).expect(200);
    const named = await world.database.query(
      `select distinct actor_label from audit_entry where request_id = $1 and target_type <> 'user_account'`,
      [joined.headers['x-request-id']],
    );
    expect(named).toEqual([{ actor_label: (joined.body as { email: string }).email }]);
    expect(joined.body).toEqual({
      license_id: tenant.license.id,
      license_name: 'Rusty Islands',
      email,
      role: 'Moderator',
      is_password_set: true,
    });
    const member = await signIn(world.url, email);
    expect(member.session.license_id).toBe(tenant.license.id);
    await fleet(member).expect(200);
    expect(said(await accept({ token: mail.token, password }))).toEqual({
      status: 401,
      code: 'invalid_invitation',
    });
  });

  it('returns 403 for a role that holds more than the caller does, and sends no mail', async () => {
    const admin = await world.addMember(tenant, 'Head Admin');
    const email = newAddress();
    expect(said(await invite(admin, email, 'Owner'))).toEqual({
      status: 403,
      code: 'beyond_own_permissions',
    });
    expect(await world.mailsTo(email)).toEqual([]);
  });

  it('returns 409 for a member and for an address with an open invitation; 201 once that is revoked or expired', async () => {
    const email = newAddress();
    expect(said(await invite(tenant.owner, tenant.owner.email, 'Viewer')).code).toBe('already_member');
    const { body } = await invite(tenant.owner, email, 'Viewer');
    expect(said(await invite(tenant.owner, email, 'Viewer'))).toEqual({
      status: 409,
      code: 'already_invited',
    });
    const path = `/api/team/invitations/${(body as Schemas['Invitation']).id}`;
    await world.call('delete', path, tenant.owner).expect(204);
    await world.call('delete', path, tenant.owner).expect(404);
    expect((await invite(tenant.owner, email, 'Viewer')).status).toBe(201);
    await world.database.query(`update invitation set expires_at = now() where email = $1`, [email]);
    expect((await invite(tenant.owner, email, 'Viewer')).status).toBe(201);
  });

  it('returns 201 for one of ten concurrent requests for one address', async () => {
    const email = newAddress();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => invite(tenant.owner, email, 'Viewer')),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  it('returns 409 beyond 100 a day, also for concurrent requests (lesson: quota race)', async () => {
    const own = await world.createTenant();
    for (let index = 0; index < 95; index += 1) await createInvitation(world, own, { ended_at: new Date() });
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => unlessBusy(() => invite(own.owner, newAddress(), 'Viewer', own))),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(responses.filter((response) => said(response).code === 'limit_reached')).toHaveLength(45);
  });
});

describe('listInvitations', () => {
  it('returns 200 with the open ones', async () => {
    const own = await world.createTenant();
    const open = await createInvitation(world, own);
    await createInvitation(world, own, { ended_at: new Date() });
    await createInvitation(world, own, { expires_at: new Date(Date.now() - 1_000) });
    const { body } = await world.call('get', '/api/team/invitations', own.owner).expect(200);
    expect((body as Schemas['InvitationPage']).data.map(({ id }) => id)).toEqual([open]);
  });
});

describe('acceptInvitation', () => {
  it('returns 200 for an existing account, which joins and keeps its password and sessions', async () => {
    const own = await world.createTenant();
    const member = await world.addMember(own, 'Viewer');
    await invite(tenant.owner, member.email, 'Moderator');
    const token = await invitedTo(member.email);
    const { body } = await accept({ token, password: 'an attempt at another password' }).expect(200);
    expect(body).toMatchObject({ email: member.email, is_password_set: false });
    await signIn(world.url, member.email);
    const me = await world.call('get', '/auth/me', member).expect(200);
    expect((me.body as Schemas['CurrentUser']).licenses.map(({ role }) => role)).toEqual([
      'Viewer',
      'Moderator',
    ]);
    await world
      .call('post', '/auth/switch-license', member)
      .send({ license_id: tenant.license.id })
      .expect(200);
  });

  it('returns 400 without a password for a new account; the invitation stays open', async () => {
    const email = newAddress();
    await invite(tenant.owner, email, 'Viewer');
    const token = await invitedTo(email);
    expect(said(await accept({ token }))).toEqual({ status: 400, code: 'password_required' });
    await world.database.query('insert into user_account (email) values ($1)', [email]);
    expect(said(await accept({ token }))).toEqual({ status: 400, code: 'password_required' });
    await accept({ token, password }).expect(200);
    await signIn(world.url, email);
  });

  it('returns 401 for a token that is unknown, expired, revoked, or whose account is disabled', async () => {
    const invalid = { status: 401, code: 'invalid_invitation' };
    expect(said(await accept({ token: `gantry_invitation_${'x'.repeat(43)}` }))).toEqual(invalid);
    const email = newAddress();
    await invite(tenant.owner, email, 'Viewer');
    const token = await invitedTo(email);
    await world.database.query('update invitation set expires_at = now() where email = $1', [email]);
    expect(said(await accept({ token, password }))).toEqual(invalid);
    const locked = await world.addMember(await world.createTenant(), 'Viewer');
    await invite(tenant.owner, locked.email, 'Viewer');
    await world.database.query('update user_account set is_disabled = true where email = $1', [locked.email]);
    expect(said(await accept({ token: await invitedTo(locked.email) }))).toEqual(invalid);
  });

  it('returns 401 once the inviter could not grant that role any more (lesson: stale access)', async () => {
    const admin = await world.addMember(tenant, 'Head Admin');
    const email = newAddress();
    await invite(admin, email, 'Head Admin');
    const token = await invitedTo(email);
    expect((await setRole(tenant.owner, admin, 'Viewer')).status).toBe(200);
    expect(said(await accept({ token, password }))).toEqual({ status: 401, code: 'invalid_invitation' });
  });

  it('returns 401 once the inviter is disabled (lesson: stale access)', async () => {
    const admin = await world.addMember(tenant, 'Head Admin');
    const email = newAddress();
    await invite(admin, email, 'Viewer');
    const token = await invitedTo(email);
    await world.database.query('update user_account set is_disabled = true where email = $1', [admin.email]);
    expect(said(await accept({ token, password }))).toEqual({ status: 401, code: 'invalid_invitation' });
  });

  it('returns 403 while the license is revoked, and 200 when it is active again', async () => {
    const own = await world.createTenant();
    const email = newAddress();
    await invite(own.owner, email, 'Viewer', own);
    const token = await invitedTo(email);
    const set = (status: string) =>
      world.call('patch', `/api/admin/licenses/${own.license.id}`, world.admin).send({ status }).expect(200);
    await set('revoked');
    expect(said(await accept({ token, password }))).toEqual({ status: 403, code: 'license_revoked' });
    await set('active');
    await accept({ token, password }).expect(200);
  });

  it('returns 200 for one of ten concurrent requests, and 409 for a user who has joined meanwhile', async () => {
    const email = newAddress();
    await invite(tenant.owner, email, 'Viewer');
    const token = await invitedTo(email);
    const responses = await Promise.all(Array.from({ length: 10 }, () => accept({ token, password })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(9);
    const existing = await world.createUser();
    await invite(tenant.owner, existing, 'Viewer');
    await world.join(tenant, existing, 'Viewer');
    expect(said(await accept({ token: await invitedTo(existing) }))).toEqual({
      status: 409,
      code: 'already_member',
    });
  });
});
