// Operations of the area `admin-users`: finding, promoting and disabling users.
import type { components } from '../../generated/platform.d.ts';
import { ConsoleSocket } from '../support/console-socket.ts';
import { someId } from '../support/contract.ts';
import { createInstance } from '../support/rows.ts';
import { signIn, World, type Member } from '../support/world.ts';

type Schemas = components['schemas'];
type User = Schemas['User'];

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

const path = '/api/admin/users';

const update = (input: object, by: Member = world.admin) => world.call('patch', path, by).send(input);

async function list(query: Record<string, string> = {}): Promise<Schemas['UserPage']> {
  const { body } = await world.call('get', path, world.admin).query(query).expect(200);
  return body as Schemas['UserPage'];
}

async function found(email: string): Promise<User> {
  const user = (await list({ q: email })).data[0];
  if (user === undefined) throw new Error(`${email} is not in the list`);
  return user;
}

describe('listUsers', () => {
  it('returns 200 newest first, page by page, with the number of licenses of each user', async () => {
    const tenant = await world.createTenant();
    const other = await world.createTenant();
    await world.join(other, tenant.owner.email, 'Viewer');
    expect(await found(tenant.owner.email)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: tenant.owner.email,
      is_super_admin: false,
      is_disabled: false,
      license_count: 2,
      created_at: expect.stringMatching(/Z$/),
    });
    const whole = (await list({ limit: '100' })).data;
    const first = await list({ limit: '2' });
    const second = await list({ limit: '2', cursor: first.next_cursor ?? '' });
    expect([...first.data, ...second.data]).toEqual(whole.slice(0, 4));
    expect(whole.at(-1)?.email).toBe(world.admin.email);
    expect(JSON.stringify(whole)).not.toMatch(/password|argon2/);
  });

  it('returns 200 filtered by text, license, super admin, disabled and time of creation', async () => {
    const tenant = await world.createTenant();
    const viewer = await world.addMember(tenant, 'Viewer');
    const emails = async (query: Record<string, string>) =>
      (await list({ license_id: tenant.license.id, ...query })).data.map(({ email }) => email);
    expect(await emails({})).toEqual([viewer.email, tenant.owner.email]);
    expect(await emails({ q: viewer.email.toUpperCase() })).toEqual([viewer.email]);
    expect(await emails({ q: '%' })).toEqual([]);
    const { id, created_at } = await found(viewer.email);
    await update({ user_id: id, is_super_admin: true, is_disabled: true }).expect(200);
    expect(await emails({ is_super_admin: 'true' })).toEqual([viewer.email]);
    expect(await emails({ is_super_admin: 'false' })).toEqual([tenant.owner.email]);
    expect(await emails({ is_disabled: 'true' })).toEqual([viewer.email]);
    expect(await emails({ created_from: created_at })).toContain(viewer.email);
    expect(await emails({ created_to: created_at })).not.toContain(viewer.email);
  });
});

describe('updateUser', () => {
  it('returns 200 with the updated user; only the given fields change', async () => {
    const { id, email } = await found(await world.createUser());
    const { body } = await update({ user_id: id, is_super_admin: true }).expect(200);
    expect(body).toMatchObject({ id, email, is_super_admin: true, is_disabled: false });
    const { body: after } = await update({ user_id: id, is_disabled: true }).expect(200);
    expect(after).toMatchObject({ id, is_super_admin: true, is_disabled: true });
    await update({ user_id: id, is_super_admin: false }).expect(200);
  });

  it('promotes and demotes a signed-in user at once', async () => {
    const email = await world.createUser();
    const member = await signIn(world.url, email);
    const { id } = await found(email);
    await world.call('get', path, member).expect(403);
    await update({ user_id: id, is_super_admin: true }).expect(200);
    await world.call('get', path, member).expect(200);
    await update({ user_id: id, is_super_admin: false }).expect(200);
    await world.call('get', path, member).expect(403);
  });

  it('breach lesson, stale access: disabling ends tokens, refreshing and open consoles at once', async () => {
    const tenant = await world.createTenant();
    const { owner } = tenant;
    const socket = await ConsoleSocket.open(world, await createInstance(world, tenant), owner);
    const { id } = await found(owner.email);
    await update({ user_id: id, is_disabled: true }).expect(200);
    await world.call('get', '/auth/me', owner).expect(401);
    expect(await socket.closed(2_000)).toBe(4401);
    const refresh = () =>
      world.call('post', '/auth/refresh').send({ refresh_token: owner.session.refresh_token });
    await update({ user_id: id, is_disabled: false }).expect(200);
    await world.call('get', '/auth/me', owner).expect(401);
    await refresh().expect(401);
    await signIn(world.url, owner.email);
  });

  it('returns 404 for an unknown user and 400 for an empty change', async () => {
    await update({ user_id: someId, is_disabled: true }).expect(404);
    await update({ user_id: someId }).expect(400);
    await update({ is_disabled: true }).expect(400);
  });
});

describe('the last enabled super admin', () => {
  it('returns 409 last_super_admin when demoting or disabling them, by themselves or together with a promotion', async () => {
    const own = await World.create({ roles: ['api'] });
    try {
      const send = (input: object) => own.call('patch', path, own.admin).send(input);
      const { body } = await own.call('get', path, own.admin).expect(200);
      const user_id = (body as Schemas['UserPage']).data[0]?.id;
      for (const change of [
        { is_super_admin: false },
        { is_disabled: true },
        { is_super_admin: false, is_disabled: true },
        { is_super_admin: true, is_disabled: true },
      ]) {
        const response = await send({ user_id, ...change }).expect(409);
        expect(response.body).toMatchObject({ code: 'last_super_admin' });
      }
      await send({ user_id, is_super_admin: true, is_disabled: false }).expect(200);
    } finally {
      await own.close();
    }
  });

  it('breach lesson, races: of 50 parallel calls that would leave no super admin, one is refused', async () => {
    const own = await World.create({ roles: ['api'] });
    try {
      const emails = await Promise.all(Array.from({ length: 49 }, () => own.createUser('admin')));
      await own.database.query('update user_account set is_super_admin = true where email = any($1)', [
        emails,
      ]);
      const admins = await own.database.query<{ id: string }>(
        'select id from user_account where is_super_admin and not is_disabled',
      );
      expect(admins).toHaveLength(50);
      // A caller loses the permission during the race, so each call comes from another admin.
      const responses = await Promise.all(
        admins.map(async ({ id }, index) =>
          own
            .call('patch', path, own.admin)
            .send({ user_id: id, ...(index % 2 === 0 ? { is_disabled: true } : { is_super_admin: false }) }),
        ),
      );
      const left = await own.database.query(
        'select id from user_account where is_super_admin and not is_disabled',
      );
      expect(left.length).toBeGreaterThanOrEqual(1);
      const codes = responses.map(({ status }) => status);
      expect(codes.filter((status) => status === 200)).toHaveLength(50 - left.length);
    } finally {
      await own.close();
    }
  });
});
