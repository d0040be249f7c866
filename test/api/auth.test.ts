// Operations of the area `auth`: the first user, signing in and out, refresh tokens, and the checks of access
// tokens.
import { createHmac, generateKeyPairSync } from 'node:crypto';
import jwt, { type JwtPayload, type Secret, type SignOptions } from 'jsonwebtoken';
import { pino } from 'pino';
import request from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { Passwords } from '../../src/services/auth/passwords.ts';
import { permissionsOfRole } from '../../src/services/auth/role-permissions.ts';
import { hashSecret } from '../../src/secrets/random-secrets.ts';
import { someId } from '../support/contract.ts';
import { unlikeDurations } from '../support/durations.ts';
import { until } from '../support/until.ts';
import {
  adminEmail,
  jwtSecret,
  password,
  signIn,
  World,
  type Member,
  type Tenant,
} from '../support/world.ts';

type Schemas = components['schemas'];
type Session = Schemas['Session'];

let world: World;
let tenant: Tenant;
/** Everything the platform logged. */
const logged: string[] = [];

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
  world = await World.create({ roles: ['api'], log });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const login = (body: object) => world.call('post', '/auth/login').send(body);
const refresh = (token: string) => world.call('post', '/auth/refresh').send({ refresh_token: token });
const logout = (token: string) => world.call('post', '/auth/logout').send({ refresh_token: token });
const me = (token: string) => world.call('get', '/auth/me', { token });
/** Signs in, expects success and returns the session. */
async function loggedIn(body: object): Promise<Session> {
  const { body: response } = await login(body).expect(200);
  const { status, session, challenge } = response as components['schemas']['SignInResult'];
  expect([status, challenge]).toEqual(['signed_in', null]);
  if (session === null) throw new Error('there is a session');
  return session;
}
const clusters = (member: { token: string }) => world.call('get', '/api/fleet/clusters', member);

const claimsOf = (token: string) => jwt.decode(token) as JwtPayload;

/** The problem without the members that differ from request to request. */
function said({ status, body }: request.Response): unknown {
  return { status, ...(body as object), request_id: '' };
}

async function newMember(role = 'Viewer'): Promise<Member> {
  return world.addMember(tenant, role);
}

async function setUser(email: string, change: string): Promise<void> {
  await world.database.query(`update user_account set ${change} where email = $1`, [email]);
}

describe('createFirstUser', () => {
  let empty: World;

  beforeAll(async () => {
    empty = await World.create({ roles: ['api'], withoutFirstUser: true });
  });

  afterAll(async () => {
    await empty.close();
  });

  /** An installation without users, with a setup token that is valid for the given time. */
  async function installation(lifetime = '1 hour'): Promise<string> {
    const token = 'setup-token-of-a-test-0123456789';
    await empty.database.query('truncate user_account, setup_token cascade');
    await empty.database.query(
      'insert into setup_token (token_hash, expires_at) values ($1, now() + $2::interval)',
      [hashSecret(token), lifetime],
    );
    return token;
  }

  const create = (body: object) =>
    empty.call('post', '/auth/bootstrap').send({ email: adminEmail, password, ...body });

  const userCount = async () => (await empty.database.query('select 1 from user_account')).length;

  it('returns 201 with the printed token: a super admin, signed in', async () => {
    const { firstUser } = empty.platform;
    if (firstUser.kind !== 'setup-token') throw new Error('an empty installation prints a setup token');
    const { body } = await create({ setup_token: firstUser.token, email: 'First.User@Example.COM' }).expect(
      201,
    );
    const { body: user } = await empty
      .call('get', '/auth/me', { token: (body as Session).access_token })
      .expect(200);
    expect(user).toMatchObject({
      email: 'first.user@example.com',
      is_super_admin: true,
      license_id: null,
      licenses: [],
    });
    await signIn(empty.url, 'first.user@example.com');
  });

  it('returns 409 after the first use, for any token', async () => {
    const token = await installation();
    await create({ setup_token: token }).expect(201);
    for (const setup_token of [token, 'x'.repeat(40)]) {
      const { body } = await create({ setup_token, email: 'second@example.com' }).expect(409);
      expect(body).toMatchObject({ code: 'already_set_up' });
    }
    expect(await userCount()).toBe(1);
  });

  it('returns 409 for a leftover token when a user exists', async () => {
    const token = await installation();
    await empty.createUser();
    await create({ setup_token: token }).expect(409);
    expect(await userCount()).toBe(1);
  });

  it('returns 401 for a wrong token and for an expired one, and creates no user', async () => {
    const expired = await installation('-1 second');
    for (const setup_token of ['x'.repeat(40), expired]) {
      const { body } = await create({ setup_token }).expect(401);
      expect(body).toMatchObject({ code: 'invalid_setup_token' });
    }
    expect(await userCount()).toBe(0);
  });

  it('returns 400 for a short password, and the token stays valid', async () => {
    const setup_token = await installation();
    const { body } = await create({ setup_token, password: 'eleven char' }).expect(400);
    expect(body).toMatchObject({ errors: [{ pointer: '/password' }] });
    await create({ setup_token }).expect(201);
  });

  it('returns 422 for an easily guessed password, and the token stays valid', async () => {
    const setup_token = await installation();
    const { body } = await create({ setup_token, password: 'password1234' }).expect(422);
    expect(body).toMatchObject({ code: 'weak_password', errors: [{ pointer: '/password' }] });
    await create({ setup_token }).expect(201);
  });

  it('returns 201 for exactly one of 20 concurrent calls', async () => {
    const setup_token = await installation();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create({ setup_token, email: `user-${index}@example.com` })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)]);
    expect(await userCount()).toBe(1);
  });

  it('is offered to an empty installation only: no token is created once a user exists', async () => {
    await installation();
    for (const kind of ['setup-token', 'exists']) {
      const { firstUser, stop } = await empty.addReplica();
      expect(firstUser.kind).toBe(kind);
      await stop();
      await empty.createUser();
    }
  });
});

describe('signIn', () => {
  it('returns 200 with an access token that carries user, license and permissions', async () => {
    const member = await newMember('Moderator');
    const session = await loggedIn({ email: member.email, password });
    expect(session).toMatchObject({ token_type: 'Bearer', expires_in: 900, license_id: tenant.license.id });
    const [user] = await world.database.query<{ id: string }>(
      'select id from user_account where email = $1',
      [member.email],
    );
    const claims = claimsOf(session.access_token);
    expect(claims).toEqual({
      sub: user?.id,
      sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      license_id: tenant.license.id,
      role: 'Moderator',
      permissions: permissionsOfRole({ name: 'Moderator', is_system: true, permissions: null }),
      is_super_admin: false,
      aud: 'gantry:access',
      iss: 'gantry',
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + 900,
    });
    expect(jwt.decode(session.access_token, { complete: true })?.header).toEqual({
      alg: 'HS256',
      typ: 'JWT',
    });
  });

  it('returns 200 for any case of the e-mail address', async () => {
    const { email } = await newMember();
    await login({ email: email.toUpperCase(), password }).expect(200);
  });

  it('returns the same 401 for a wrong password, an unknown address, a disabled account and one without a password', async () => {
    const [known, disabled, waiting] = [
      await world.createUser(),
      await world.createUser(),
      await world.createUser(),
    ];
    await setUser(disabled, 'is_disabled = true');
    await setUser(waiting, 'password_hash = null');
    const responses = await Promise.all([
      login({ email: known, password: `${password}x` }),
      login({ email: 'unknown@example.com', password }),
      login({ email: disabled, password }),
      login({ email: disabled, password: 'wrong' }),
      login({ email: waiting, password }),
    ]);
    const [first] = responses.map(said);
    expect(first).toMatchObject({ status: 401, code: 'invalid_credentials' });
    for (const response of responses.map(said)) expect(response).toEqual(first);
  });

  it('returns 401 after the same time for known and unknown accounts', async () => {
    const [known, disabled, waiting] = [
      await world.createUser(),
      await world.createUser(),
      await world.createUser(),
    ];
    // The hashes of test accounts are cheap to verify; here they cost what the platform's own cost.
    const hash = await new Passwords(1).hash(password);
    await setUser(known, `password_hash = '${hash}'`);
    await setUser(disabled, `is_disabled = true, password_hash = '${hash}'`);
    await setUser(waiting, 'password_hash = null');
    const refused = (values: { email: string; password: string }) => () => login(values).expect(401);
    const kinds = {
      wrong: refused({ email: known, password: 'wrong' }),
      unknown: refused({ email: 'unknown@example.com', password: 'wrong' }),
      disabled: refused({ email: disabled, password }),
      waiting: refused({ email: waiting, password }),
    };
    expect(await unlikeDurations(kinds, { factor: 2, minRounds: 10 })).toBeUndefined();
  });

  it('returns 200 in the requested license', async () => {
    const member = await newMember();
    const other = await world.createTenant();
    await world.join(other, member.email, 'Head Admin');
    const session = await loggedIn({ email: member.email, password, license_id: other.license.id });
    expect(session.license_id).toBe(other.license.id);
    expect(claimsOf(session.access_token)).toMatchObject({
      license_id: other.license.id,
      role: 'Head Admin',
    });
  });

  it('returns 200 in the license in which the user worked last, while the user belongs to it', async () => {
    const member = await newMember();
    const other = await world.createTenant();
    await world.join(other, member.email, 'Head Admin');
    await world
      .call('post', '/auth/switch-license', member)
      .send({ license_id: other.license.id })
      .expect(200);
    const usual = { email: member.email, password };
    expect(await loggedIn(usual)).toMatchObject({ license_id: other.license.id });
    await revoke(other);
    expect(await loggedIn(usual)).toMatchObject({ license_id: tenant.license.id });
  });

  it("returns 404 for another tenant's license, as for an unknown one", async () => {
    const { email } = await newMember();
    const other = await world.createTenant();
    const foreign = await login({ email, password, license_id: other.license.id });
    const missing = await login({ email, password, license_id: someId });
    expect(said(foreign)).toMatchObject({ status: 404, code: 'not_found' });
    expect(said(foreign)).toEqual(said(missing));
  });

  it('returns 401 for a wrong password without revealing anything about the license', async () => {
    const { email } = await newMember();
    const response = await login({ email, password: 'wrong', license_id: someId });
    expect(said(response)).toMatchObject({ status: 401, code: 'invalid_credentials' });
  });

  it('returns 403 for a requested revoked license, and 200 in the next one by default', async () => {
    const former = await world.createTenant();
    const { email } = await world.addMember(former, 'Head Admin');
    const next = await world.createTenant();
    await world.join(next, email, 'Viewer');
    await revoke(former);
    const { body } = await login({ email, password, license_id: former.license.id }).expect(403);
    expect(body).toMatchObject({ code: 'license_revoked' });
    expect(await loggedIn({ email, password })).toMatchObject({ license_id: next.license.id });
  });

  it('returns 200 without a license for a user who belongs to none', async () => {
    const session = await loggedIn({ email: await world.createUser(), password });
    expect(session).toMatchObject({ license_id: null });
    expect(claimsOf(session.access_token)).toMatchObject({
      license_id: null,
      role: null,
      permissions: {},
    });
  });

  it('returns 400 for a password of more than 200 characters', async () => {
    await login({ email: adminEmail, password: 'x'.repeat(201) }).expect(400);
  });
});

async function revoke({ license }: Tenant): Promise<void> {
  await world
    .call('patch', `/api/admin/licenses/${license.id}`, world.admin)
    .send({ status: 'revoked' })
    .expect(200);
}

/** Moves the token's first use beyond the grace period. */
async function letTimePass(token: string): Promise<void> {
  await world.database.query(
    `update refresh_token set used_at = used_at - interval '30 seconds' where token_hash = $1`,
    [hashSecret(token)],
  );
}

/** Those refresh tokens of the responses that were not used. */
function usableAmong(responses: request.Response[]): Promise<unknown[]> {
  const hashes = responses.map(({ body }) => hashSecret((body as Session).refresh_token));
  return world.database.query('select 1 from refresh_token where token_hash = any($1) and used_at is null', [
    hashes,
  ]);
}

describe('refreshSession', () => {
  it('returns 200 with new tokens of the same session', async () => {
    const { session } = await newMember();
    const { body } = await refresh(session.refresh_token).expect(200);
    const renewed = body as Session;
    expect(renewed.refresh_token).not.toBe(session.refresh_token);
    expect(claimsOf(renewed.access_token)).toMatchObject({
      sid: claimsOf(session.access_token)['sid'] as string,
    });
    await me(renewed.access_token).expect(200);
    await me(session.access_token).expect(200);
    await refresh(renewed.refresh_token).expect(200);
  });

  it('returns 401 for a used token and ends its whole session at once, but no other', async () => {
    const member = await newMember();
    const other = await signIn(world.url, member.email);
    const { body } = await refresh(member.session.refresh_token).expect(200);
    const renewed = body as Session;
    await me(renewed.access_token).expect(200);
    await letTimePass(member.session.refresh_token);
    const { body: problem } = await refresh(member.session.refresh_token).expect(401);
    expect(problem).toMatchObject({ code: 'invalid_refresh_token' });
    await me(renewed.access_token).expect(401);
    await me(member.token).expect(401);
    await refresh(renewed.refresh_token).expect(401);
    await me(other.token).expect(200);
    await refresh(other.session.refresh_token).expect(200);
  });

  it('returns 200 again for a token whose response was lost, and the tokens of the lost response become invalid', async () => {
    const member = await newMember();
    const lost = (await refresh(member.session.refresh_token).expect(200)).body as Session;
    const { body } = await refresh(member.session.refresh_token).expect(200);
    const renewed = (await refresh((body as Session).refresh_token).expect(200)).body as Session;
    await me(renewed.access_token).expect(200);
    await refresh(lost.refresh_token).expect(401);
    await me(renewed.access_token).expect(401);
  });

  it('returns 401 for a token whose successor was used, however soon, and ends the session', async () => {
    const { session } = await newMember();
    const { body } = await refresh(session.refresh_token).expect(200);
    const { body: last } = await refresh((body as Session).refresh_token).expect(200);
    await refresh(session.refresh_token).expect(401);
    await refresh((last as Session).refresh_token).expect(401);
    await me((last as Session).access_token).expect(401);
  });

  it('returns 200 for ten concurrent calls with one token, and one of the ten successors is valid', async () => {
    const { session } = await newMember();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => refresh(session.refresh_token).expect(200)),
    );
    expect(await usableAmong(responses)).toHaveLength(1);
  });

  it('returns the same 401 for unknown, expired and ended tokens', async () => {
    const [expired, ended, disabled] = [await newMember(), await newMember(), await newMember()];
    await world.database.query(`update refresh_token set expires_at = now() where token_hash = $1`, [
      hashSecret(expired.session.refresh_token),
    ]);
    await logout(ended.session.refresh_token).expect(204);
    await setUser(disabled.email, 'is_disabled = true');
    const tokens = [expired, ended, disabled].map(({ session }) => session.refresh_token);
    const responses = await Promise.all(
      [...tokens, 'gantry_refresh_unknown', tenant.owner.token.slice(0, 200)].map(refresh),
    );
    const [first] = responses.map(said);
    expect(first).toMatchObject({ status: 401, code: 'invalid_refresh_token' });
    for (const response of responses.map(said)) expect(response).toEqual(first);
  });

  it('returns 200 with the current role, and without a license the user was removed from', async () => {
    const member = await newMember();
    await world.database.query(
      `update membership set role_id = role.id from role, user_account
       where role.license_id = $1 and role.name = 'Head Admin' and user_account.email = $2
         and membership.user_id = user_account.id and membership.license_id = $1`,
      [tenant.license.id, member.email],
    );
    const { body } = await refresh(member.session.refresh_token).expect(200);
    expect(claimsOf((body as Session).access_token)).toMatchObject({ role: 'Head Admin' });
    await removeMembership(member);
    const { body: left } = await refresh((body as Session).refresh_token).expect(200);
    expect(left).toMatchObject({ license_id: null });
  });

  it('stores no token that could be read from the database', async () => {
    const { session } = await newMember();
    const rows = await world.database.query('select t::text from refresh_token t');
    expect(JSON.stringify(rows)).toContain(hashSecret(session.refresh_token));
    expect(JSON.stringify(rows)).not.toContain(session.refresh_token);
  });
});

async function removeMembership({ email }: Member): Promise<void> {
  await world.database.query(
    'delete from membership using user_account where user_account.id = membership.user_id and email = $1',
    [email],
  );
}

describe('signOut', () => {
  it('returns 204, and the tokens of that session, and of no other, stop working at once', async () => {
    const member = await newMember();
    const other = await signIn(world.url, member.email);
    await me(member.token).expect(200);
    await logout(member.session.refresh_token).expect(204);
    await me(member.token).expect(401);
    await refresh(member.session.refresh_token).expect(401);
    await me(other.token).expect(200);
  });

  it('returns 204 for an unknown or used token', async () => {
    const { session } = await newMember();
    await logout('gantry_refresh_unknown').expect(204);
    await logout(session.refresh_token).expect(204);
    await logout(session.refresh_token).expect(204);
  });

  it('returns 204, and other replicas apply it at once', async () => {
    const { url, stop } = await world.addReplica();
    const member = await newMember();
    const ask = () =>
      request(url ?? '')
        .get('/auth/me')
        .set('Authorization', `Bearer ${member.token}`);
    await ask().expect(200);
    await logout(member.session.refresh_token).expect(204);
    await until(async () => (await ask()).status === 401, 'the other replica receiving the change', 2_000);
    await stop();
  });
});

describe('switchLicense', () => {
  async function memberOfTwo(): Promise<{ member: Member; other: Tenant }> {
    const member = await newMember();
    const other = await world.createTenant();
    await world.join(other, member.email, 'Head Admin');
    return { member, other };
  }

  const change = (member: { token: string }, license_id: string) =>
    world.call('post', '/auth/switch-license', member).send({ license_id });

  it('returns 200 with an access token of the other license, in which later refreshes continue', async () => {
    const { member, other } = await memberOfTwo();
    const { body } = await change(member, other.license.id).expect(200);
    const session = body as Schemas['LicenseSwitchResult'];
    expect(claimsOf(session.access_token)).toMatchObject({
      license_id: other.license.id,
      role: 'Head Admin',
    });
    expect((await me(session.access_token).expect(200)).body).toMatchObject({ license_id: other.license.id });
    const { body: renewed } = await refresh(member.session.refresh_token).expect(200);
    expect(renewed).toMatchObject({ license_id: other.license.id });
    expect((await me(member.token).expect(200)).body).toMatchObject({ license_id: tenant.license.id });
  });

  it('gives a holder of only the access token no refresh token and no lasting session, however often it switches', async () => {
    const { member, other } = await memberOfTwo();
    const ends = claimsOf(member.token)['exp'];
    let token = member.token;
    for (const { id } of [other.license, tenant.license, other.license]) {
      const { body } = await change({ token }, id).expect(200);
      expect(Object.keys(body as object).toSorted()).toEqual([
        'access_token',
        'expires_in',
        'license_id',
        'token_type',
      ]);
      token = (body as Schemas['LicenseSwitchResult']).access_token;
      expect(claimsOf(token)['exp']).toBe(ends);
    }
    const [{ count } = { count: 0 }] = await world.database.query<{ count: number }>(
      'select count(*)::int as count from refresh_token where session_id = $1',
      [claimsOf(member.token)['sid']],
    );
    expect(count).toBe(1);
    // The owner of the session is not affected: their refresh token still continues its own family.
    await letTimePass(member.session.refresh_token);
    await refresh(member.session.refresh_token).expect(200);
  });

  it('is the only way to another license: a refresh does not move a removed member into one', async () => {
    const { member } = await memberOfTwo();
    await world.database.query(
      'delete from membership m using user_account u where u.id = m.user_id and u.email = $1 and m.license_id = $2',
      [member.email, tenant.license.id],
    );
    const { body } = await refresh(member.session.refresh_token).expect(200);
    expect(body).toMatchObject({ license_id: null });
    const { body: later } = await refresh((body as Session).refresh_token).expect(200);
    expect(later).toMatchObject({ license_id: null });
  });

  it("returns 404 for another tenant's license, and the session is unchanged", async () => {
    const member = await newMember();
    const other = await world.createTenant();
    const [foreign, missing] = [await change(member, other.license.id), await change(member, someId)];
    expect(said(foreign)).toMatchObject({ status: 404, code: 'not_found' });
    expect(said(foreign)).toEqual(said(missing));
    const { body } = await refresh(member.session.refresh_token).expect(200);
    expect(body).toMatchObject({ license_id: tenant.license.id });
  });

  it('returns 403 for a revoked license', async () => {
    const { member, other } = await memberOfTwo();
    await revoke(other);
    const { body } = await change(member, other.license.id).expect(403);
    expect(body).toMatchObject({ code: 'license_revoked' });
  });
});

describe('getCurrentUser', () => {
  it('returns 200 with the caller, the license of the token and every license available for switching', async () => {
    const member = await newMember('Viewer');
    const other = await world.createTenant({ name: 'The other one' });
    await world.join(other, member.email, 'Head Admin');
    await revoke(other);
    const { body } = await me(member.token).expect(200);
    expect(body).toEqual({
      id: claimsOf(member.token).sub,
      email: member.email,
      is_super_admin: false,
      is_second_factor_on: false,
      stepped_up_until: expect.any(String),
      license_id: tenant.license.id,
      role: 'Viewer',
      permissions: permissionsOfRole({ name: 'Viewer', is_system: true, permissions: null }),
      licenses: [
        { license_id: tenant.license.id, name: tenant.license.name, role: 'Viewer', status: 'active' },
        { license_id: other.license.id, name: 'The other one', role: 'Head Admin', status: 'revoked' },
      ],
    });
  });
});

describe('an access token', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  /** The owner's claims, signed again. */
  function signed(change: object = {}, options: SignOptions = {}, secret: Secret = jwtSecret): string {
    return jwt.sign({ ...claimsOf(tenant.owner.token), ...change }, secret, {
      algorithm: 'HS256',
      ...options,
    });
  }

  function without(claim: string): string {
    const { [claim]: _, ...claims } = claimsOf(tenant.owner.token);
    return jwt.sign(claims, jwtSecret, { algorithm: 'HS256' });
  }

  it('returns 200 when signed correctly, which gives the next test its meaning', async () => {
    await me(signed()).expect(200);
  });

  const now = Math.floor(Date.now() / 1000);
  const forged: Record<string, () => string> = {
    'has expired': () => signed({ iat: now - 1000, exp: now - 100 }),
    'expires this second': () => signed({ exp: Math.floor(Date.now() / 1000) }),
    'is not valid yet': () => signed({ nbf: now + 1000 }),
    'is unsigned': () => `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(claimsOf(tenant.owner.token))}.`,
    'is unsigned in another spelling': () =>
      `${encoded({ alg: 'nOnE', typ: 'JWT' })}.${encoded(claimsOf(tenant.owner.token))}.`,
    'says it is unsigned and is signed': () =>
      `${encoded({ alg: 'none' })}.${signed().split('.').slice(1).join('.')}`,
    'has lost its signature': () => `${signed().split('.').slice(0, 2).join('.')}.`,
    'is signed with another secret': () => signed({}, {}, 'another secret that is long enough to be one'),
    'is signed with an empty secret': () => {
      const text = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claimsOf(tenant.owner.token))}`;
      return `${text}.${createHmac('sha256', '').update(text).digest('base64url')}`;
    },
    'has another audience': () => signed({ aud: 'gantry:other' }),
    'has no audience': () => without('aud'),
    'has another issuer': () => signed({ iss: 'another issuer' }),
    'has no issuer': () => without('iss'),
    'is for another purpose': () => signed({ aud: 'gantry:console' }),
    'is signed with a stronger hash': () => signed({}, { algorithm: 'HS512' }),
    'is signed with RS256': () => signed({}, { algorithm: 'RS256' }, rsa.privateKey),
    'is RS256 by its header, signed with the secret': () => {
      const text = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(claimsOf(tenant.owner.token))}`;
      return `${text}.${createHmac('sha256', jwtSecret).update(text).digest('base64url')}`;
    },
    'brings its own key': () =>
      signed(
        {},
        {
          algorithm: 'RS256',
          header: { alg: 'RS256', jwk: rsa.publicKey.export({ format: 'jwk' }) } as never,
        },
        rsa.privateKey,
      ),
    'had its payload changed': () => {
      const [head, , signature] = tenant.owner.token.split('.');
      return `${head}.${encoded({ ...claimsOf(tenant.owner.token), is_super_admin: true })}.${signature}`;
    },
    'names a session that is none': () => signed({ sid: someId }),
    "names another user's session": () => signed({ sid: claimsOf(world.admin.token)['sid'] as string }),
    'names a license that the user is not in': () => signed({ license_id: someId }),
    'never expires': () => without('exp'),
    'has a subject that is no id': () => signed({ sub: 'x' }),
    'has a subject that is a number': () => signed({ sub: 5 as never }),
    'has a session that is no id': () => signed({ sid: { $ne: null } }),
    'has a license that is no id': () => signed({ license_id: 'x' }),
    'has no license claim': () => without('license_id'),
    'is a refresh token': () => tenant.owner.session.refresh_token,
    'is longer than any': () => `${signed()}${'x'.repeat(4_096)}`,
  };

  it.each(Object.keys(forged))('returns 401 when it %s', async (kind) => {
    const { body } = await me(forged[kind]?.() ?? '').expect(401);
    expect(body).toMatchObject({ code: 'unauthorized' });
  });

  it('returns 403 for a companion token in its place', async () => {
    const { body } = await me(tenant.license.companion_token).expect(403);
    expect(body).toMatchObject({ code: 'user_required' });
  });

  it('returns 401 anywhere but in the Authorization header', async () => {
    const { token } = tenant.owner;
    for (const [name, value] of [
      ['Authorization', token],
      ['Authorization', `Basic ${token}`],
      ['Authorization', `Bearer  ${token}`],
      ['Authorization', `Bearer ${token} x`],
      ['Authorization', `Bearer ${token},Bearer ${token}`],
      ['X-Access-Token', token],
      ['Cookie', `access_token=${token}`],
    ] as const) {
      await world.call('get', '/auth/me').set(name, value).expect(401);
    }
    await world.call('get', `/auth/me?access_token=${token}`).expect(401);
  });

  it('returns 401 once it has expired, even if accepted a moment before', async () => {
    const token = signed({ exp: Math.floor(Date.now() / 1000) + 2 });
    await me(token).expect(200);
    await until(async () => (await me(token)).status === 401, 'the expiry', 3_000);
  });

  it('does not make a super admin of a user who claims it in the token', async () => {
    const { body } = await world
      .call('get', '/api/admin/licenses', { token: signed({ is_super_admin: true }) })
      .expect(403);
    expect(body).toMatchObject({ code: 'forbidden' });
    const { token } = await newMember('Viewer');
    const lying = jwt.sign({ ...claimsOf(token), permissions: { '*': true }, role: 'Owner' }, jwtSecret, {
      algorithm: 'HS256',
    });
    await world.call('post', '/api/fleet/clusters', { token: lying }).send({ name: 'x' }).expect(403);
  });
});

describe('a change of access', () => {
  const list = (member: { token: string }) => world.call('get', '/api/admin/licenses', member);

  it('applies within 5 seconds without a new token: of the role, the membership, the user and the super admin', async () => {
    const promoted = await world.addMemberWith(tenant, {});
    const demoted = await world.addMemberWith(tenant, { 'fleet.view': true });
    const [removed, disabled] = [await newMember(), await newMember()];
    const email = await world.createUser();
    await setUser(email, 'is_super_admin = true');
    const former = await signIn(world.url, email);
    const setRole = (member: Member, permissions: object) =>
      world.database.query(
        `update role set permissions = $2 from membership m, user_account u
         where m.role_id = role.id and u.id = m.user_id and u.email = $1`,
        [member.email, permissions],
      );
    await clusters(promoted).expect(403);
    for (const member of [demoted, removed, disabled]) await clusters(member).expect(200);
    await list(former).expect(200);

    await setRole(promoted, { 'fleet.*': true });
    await setRole(demoted, { 'clusters.manage': true });
    await removeMembership(removed);
    await setUser(disabled.email, 'is_disabled = true');
    await setUser(email, 'is_super_admin = false');
    const soon = (what: string, test: () => request.Test, status: number) =>
      until(async () => (await test()).status === status, what, 5_000);
    await Promise.all([
      soon('the promotion', () => clusters(promoted), 200),
      soon('the demotion', () => clusters(demoted), 403),
      soon('the removal', () => clusters(removed), 401),
      soon('the disabling', () => clusters(disabled), 401),
      soon('the end of the super admin', () => list(former), 403),
    ]);
  });

  it('applies at once when a license is revoked and when it is activated again', async () => {
    const { owner, license } = await world.createTenant();
    const set = (status: string) =>
      world.call('patch', `/api/admin/licenses/${license.id}`, world.admin).send({ status }).expect(200);
    await clusters(owner).expect(200);
    await set('revoked');
    await clusters(owner).expect(403);
    await set('active');
    await clusters(owner).expect(200);
  });
});

describe('the log', () => {
  it('never contains a password or a token', async () => {
    const member = await newMember();
    const { body } = await refresh(member.session.refresh_token).expect(200);
    const renewed = body as Session;
    await login({ email: member.email, password: 'a wrong password' }).expect(401);
    await login({ email: member.email, password: { a: 'a strange password' } }).expect(400);
    await me(renewed.access_token).expect(200);
    await world.call('get', `/auth/me?token=${renewed.access_token}`).expect(401);
    await logout(renewed.refresh_token).expect(204);
    const text = logged.join('');
    expect(logged.length).toBeGreaterThan(6);
    for (const secret of [
      password,
      'a wrong password',
      'a strange password',
      member.session.refresh_token,
      renewed.refresh_token,
      renewed.access_token,
      tenant.license.companion_token,
      jwtSecret,
    ]) {
      expect(text).not.toContain(secret);
    }
  });
});
