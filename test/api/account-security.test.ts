// Account security: passwords, second factors and sessions, including lessons from other platforms' breaches.
import { generate } from 'otplib';
import request from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { hashSecret } from '../../src/secrets/random-secrets.ts';
import { ConsoleSocket } from '../support/console-socket.ts';
import { createInstance } from '../support/rows.ts';
import { someId } from '../support/contract.ts';
import { unlikeDurations } from '../support/durations.ts';
import { until } from '../support/until.ts';
import { adminEmail, password, signIn, World, type Member, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

const nextPassword = 'sturdy-goose-lantern';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ roles: ['api', 'jobs'] });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const post = (path: string, body: object, member?: { token: string }) =>
  world.call('post', path, member).send(body);
const login = (email: string, secret = password) => post('/auth/login', { email, password: secret });
const me = (member: { token: string }) => world.call('get', '/auth/me', member);
const refresh = ({ session }: Member) => post('/auth/refresh', { refresh_token: session.refresh_token });
const forgot = (email: string) => post('/auth/forgot-password', { email });
const reset = (token: string, secret = nextPassword) =>
  post('/auth/reset-password', { token, password: secret });
const change = (member: Member, new_password = nextPassword, current_password = password) =>
  post('/auth/change-password', { current_password, new_password }, member);

const newMember = () => world.addMember(tenant, 'Moderator');
const stepUp = (member: { token: string }, body: object = { password }) =>
  post('/auth/step-up', body, member);
/** A signed-in member without a step-up: everything a stolen access token is worth. */
const unconfirmedMember = async () => signIn(world.url, (await newMember()).email);
const codeOf = ({ body }: request.Response) => (body as { code?: string }).code;

/** A member with a second factor, its secret and its recovery codes. */
async function memberWithFactor(): Promise<{ member: Member; secret: string; recoveryCodes: string[] }> {
  const member = await newMember();
  const { body } = await post('/auth/2fa/setup', {}, member).send(undefined).expect(201);
  const { secret } = body as Schemas['TotpSetup'];
  const { body: codes } = await post('/auth/2fa/verify', { code: await codeNow(secret) }, member).expect(200);
  await forgetSteps(member.email);
  return { member, secret, recoveryCodes: (codes as Schemas['RecoveryCodes']).recovery_codes };
}

const codeNow = (secret: string, offsetSeconds = 0) =>
  generate({ secret, epoch: Math.floor(Date.now() / 1000) + offsetSeconds });

/** Clears the record of used time steps, so that the current codes count as unused. */
async function forgetSteps(email: string): Promise<void> {
  await world.database.query(
    'update totp set last_used_step = null from user_account u where u.id = user_id and u.email = $1',
    [email],
  );
}

async function challengeOf(email: string, secret = password): Promise<string> {
  const { body } = await login(email, secret).expect(200);
  const { status, session, challenge } = body as Schemas['SignInResult'];
  expect([status, session]).toEqual(['totp_required', null]);
  return challenge?.token ?? '';
}

const submitCode = (challenge_token: string, code: string) =>
  post('/auth/login/totp', { challenge_token, code });

it('the audit log names the user who signs in, signs out or resets a password', async () => {
  const { member, recoveryCodes } = await memberWithFactor();
  const plain = await newMember();
  await forgot(plain.email).expect(202);
  const { token } = await world.mailTo(plain.email);
  const responses: [string, request.Response][] = [
    [plain.email, await login(plain.email).expect(200)],
    [member.email, await submitCode(await challengeOf(member.email), recoveryCodes[0] ?? '').expect(200)],
    [plain.email, await post('/auth/logout', { refresh_token: plain.session.refresh_token }).expect(204)],
    [plain.email, await reset(token).expect(204)],
  ];
  for (const [email, { headers }] of responses) {
    const named = await world.database.query(
      `select distinct actor_kind, actor_label, actor_id = user_account.id::text as is_id
       from audit_entry, user_account where request_id = $1 and email = $2`,
      [headers['x-request-id'], email],
    );
    expect(named).toEqual([{ actor_kind: 'user', actor_label: email, is_id: true }]);
  }
});

describe('stepUpSession', () => {
  const setUp = (member: { token: string }) => post('/auth/2fa/setup', {}, member).send(undefined);

  it('an access token alone cannot set up or verify a second factor; the password is required', async () => {
    const member = await unconfirmedMember();
    expect(codeOf(await setUp(member).expect(403))).toBe('step_up_required');
    expect(codeOf(await post('/auth/2fa/verify', { code: '123456' }, member).expect(403))).toBe(
      'step_up_required',
    );
    expect(
      await world.database.query(
        'select 1 from totp t join user_account u on u.id = t.user_id where u.email = $1',
        [member.email],
      ),
    ).toEqual([]);
  });

  it('returns 200 for the password and confirms this session for ten minutes, but no other session of the user', async () => {
    const member = await unconfirmedMember();
    const other = await signIn(world.url, member.email);
    expect((await me(member).expect(200)).body).toMatchObject({ stepped_up_until: null });
    const { body } = await stepUp(member).expect(200);
    const { stepped_up_until } = body as Schemas['StepUpResult'];
    expect((Date.parse(stepped_up_until) - Date.now()) / 60_000).toBeCloseTo(10, 0);
    expect((await me(member).expect(200)).body).toMatchObject({ stepped_up_until });
    await setUp(member).expect(201);
    expect(codeOf(await setUp(other).expect(403))).toBe('step_up_required');
  });

  it('applies on every replica at once and expires on time', async () => {
    const member = await unconfirmedMember();
    const replica = await world.addReplica();
    const elsewhere = () =>
      request(replica.url ?? '')
        .post('/auth/2fa/setup')
        .set('Authorization', `Bearer ${member.token}`);
    await elsewhere().expect(403);
    await stepUp(member).expect(200);
    await elsewhere().expect(201);
    await world.database.query(
      'update user_session s set stepped_up_until = now() from user_account u where u.id = s.user_id and u.email = $1',
      [member.email],
    );
    expect(codeOf(await elsewhere().expect(403))).toBe('step_up_required');
  });

  it('refreshing or switching licenses neither prolongs nor confers it', async () => {
    const member = await unconfirmedMember();
    const { body } = await refresh(member).expect(200);
    const token = (body as Schemas['Session']).access_token;
    expect(codeOf(await setUp({ token }).expect(403))).toBe('step_up_required');
  });

  it('returns 422 for a wrong password or an unknown code; the session stays unconfirmed', async () => {
    const member = await unconfirmedMember();
    expect(codeOf(await stepUp(member, { password: 'wrong' }).expect(422))).toBe('wrong_password');
    expect(codeOf(await stepUp(member, { code: '123456' }).expect(422))).toBe('invalid_code');
    expect(codeOf(await stepUp(member, { password, code: '123456' }).expect(422))).toBe('invalid_code');
    await stepUp(member, {}).expect(400);
    await setUp(member).expect(403);
  });

  it('a user with a second factor needs a one-time code; the password alone is not enough', async () => {
    const { member, secret, recoveryCodes } = await memberWithFactor();
    await world.database.query(
      'update user_session s set stepped_up_until = null from user_account u where u.id = s.user_id and u.email = $1',
      [member.email],
    );
    expect(codeOf(await stepUp(member).expect(422))).toBe('second_factor_required');
    const code = await codeNow(secret);
    expect(codeOf(await stepUp(member, { password: 'wrong', code }).expect(422))).toBe('wrong_password');
    await stepUp(member, { code }).expect(200);
    expect(codeOf(await stepUp(member, { code }).expect(422))).toBe('invalid_code');
    await stepUp(member, { code: recoveryCodes[0] }).expect(200);
  });

  it('returns 422 when the password changes during the request', async () => {
    const member = await unconfirmedMember();
    const attempt = await world.database.commitWhileWaiting(
      `update user_account set password_hash = 'another' where email = $1`,
      [member.email],
      () => stepUp(member),
    );
    expect([attempt.status, codeOf(attempt)]).toEqual([422, 'wrong_password']);
    expect((await me(member).expect(200)).body).toMatchObject({ stepped_up_until: null });
  });

  it('401 for a session that ends meanwhile', async () => {
    const member = await unconfirmedMember();
    const attempt = await world.database.commitWhileWaiting(
      `update user_session s set ended_at = now() from user_account u where u.id = s.user_id and u.email = $1`,
      [member.email],
      () => stepUp(member),
    );
    expect([attempt.status, codeOf(attempt)]).toEqual([401, 'unauthorized']);
  });

  it('is asked of super admins as well', async () => {
    const module = { path: `/api/admin/modules/${someId}`, admin: await signIn(world.url, adminEmail) };
    const update = () => world.call('patch', module.path, module.admin).send({ name: 'Another' });
    expect(codeOf(await update().expect(403))).toBe('step_up_required');
    await stepUp(module.admin).expect(200);
    await update().expect(404);
  });

  it('is asked for after the request was found valid', async () => {
    const [member, admin] = [await unconfirmedMember(), await signIn(world.url, adminEmail)];
    const requests = [
      ['post', '/auth/2fa/verify', member, { code: 'six' }, { code: '123456' }],
      ['patch', `/api/admin/modules/${someId}`, admin, { name: 5 }, { name: 'Another' }],
      ['post', '/api/admin/resellers', admin, { name: '' }, { name: 'Ember Hosting' }],
    ] as const;
    for (const [method, path, caller, invalid, valid] of requests) {
      expect(codeOf(await world.call(method, path, caller).send(invalid).expect(400))).toBe(
        'validation_failed',
      );
      expect(codeOf(await world.call(method, path, caller).send(valid).expect(403))).toBe('step_up_required');
    }
  });

  it('leaves an audit entry that names the user', async () => {
    const member = await unconfirmedMember();
    const { headers } = await stepUp(member).expect(200);
    expect(
      await world.database.query(
        `select actor_label, operation, after -> 'stepped_up_until' is not null as says from audit_entry where request_id = $1`,
        [headers['x-request-id']],
      ),
    ).toEqual([{ actor_label: member.email, operation: 'stepUpSession', says: true }]);
  });
});

describe('changePassword', () => {
  it('returns 204: the new password signs in, the old one does not', async () => {
    const member = await newMember();
    await change(member).expect(204);
    expect(codeOf(await login(member.email).expect(401))).toBe('invalid_credentials');
    await login(member.email, nextPassword).expect(200);
    await me(member).expect(200);
    await refresh(member).expect(200);
  });

  it('returns 422 for a wrong current password, an unchanged one and an easily guessed one, with advice', async () => {
    const member = await newMember();
    expect(codeOf(await change(member, nextPassword, 'wrong').expect(422))).toBe('wrong_password');
    expect(codeOf(await change(member, password).expect(422))).toBe('same_password');
    const { body } = await change(member, 'password1234').expect(422);
    expect(body).toMatchObject({
      code: 'weak_password',
      detail: expect.stringContaining('commonly used'),
      errors: [{ in: 'body', pointer: '/new_password' }],
    });
    expect(codeOf(await change(member, `${member.email}1`.slice(0, 60)).expect(422))).toBe('weak_password');
    await login(member.email).expect(200);
  });

  it('a wrong current password reveals nothing about the strength of the new one', async () => {
    expect(codeOf(await change(await newMember(), 'password1234', 'wrong').expect(422))).toBe(
      'wrong_password',
    );
  });

  it('invalidates reset links sent earlier', async () => {
    const member = await newMember();
    await forgot(member.email).expect(202);
    const { token } = await world.mailTo(member.email);
    await change(member).expect(204);
    expect(codeOf(await reset(token, 'another-goose-lantern').expect(401))).toBe('invalid_password_token');
  });

  it('breach lesson, stale access (CVE-2025-68954): a change ends other sessions and their open consoles at once on every replica', async () => {
    const member = await newMember();
    const other = await signIn(world.url, member.email);
    const replica = await world.addReplica();
    const instanceId = await createInstance(world, tenant);
    const theirs = await ConsoleSocket.open(world, instanceId, other);
    const own = await ConsoleSocket.open(world, instanceId, member);
    const elsewhere = () =>
      request(replica.url ?? '')
        .get('/auth/me')
        .set('Authorization', `Bearer ${other.token}`);
    await me(other).expect(200);
    await elsewhere().expect(200);
    await change(member).expect(204);
    await me(other).expect(401);
    await refresh(other).expect(401);
    await until(
      async () => (await elsewhere()).status === 401,
      'the other replica receiving the change',
      2_000,
    );
    await theirs.closed(2_000);
    expect(own.closeCode).toBeUndefined();
    await me(member).expect(200);
    own.close();
    await replica.stop();
  });

  it('a concurrent sign-in with the old password gets no session', async () => {
    const member = await newMember();
    const attempt = await world.database.commitWhileWaiting(
      `update user_account set password_hash = 'another' where email = $1`,
      [member.email],
      () => login(member.email),
    );
    expect(attempt.status).toBe(401);
  });
});

describe('requestPasswordReset and resetPassword', () => {
  it('returns 202; the emailed link sets the password once and every session ends', async () => {
    const member = await newMember();
    const socket = await ConsoleSocket.open(world, await createInstance(world, tenant), member);
    await forgot(member.email.toUpperCase()).expect(202);
    const { link, token } = await world.mailTo(member.email);
    // Each replica puts its own address into the link.
    const { pathname, hash } = new URL(link);
    expect(pathname + hash).toBe(`/reset-password#${token}`);
    await reset(token).expect(204);
    await me(member).expect(401);
    await refresh(member).expect(401);
    await socket.closed(2_000);
    await login(member.email).expect(401);
    await login(member.email, nextPassword).expect(200);
    expect(codeOf(await reset(token, 'another-goose-lantern').expect(401))).toBe('invalid_password_token');
  });

  it('returns 204 for exactly one of ten concurrent uses', async () => {
    const member = await newMember();
    await forgot(member.email).expect(202);
    const { token } = await world.mailTo(member.email);
    const responses = await Promise.all(Array.from({ length: 10 }, () => reset(token)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, ...Array<number>(9).fill(401)]);
  });

  it('returns 422 for a weak password, and the link stays valid', async () => {
    const member = await newMember();
    await forgot(member.email).expect(202);
    const { token } = await world.mailTo(member.email);
    expect(codeOf(await reset(token, 'aaaaaaaaaaaa').expect(422))).toBe('weak_password');
    await reset(token).expect(204);
  });

  it('returns 401 for an expired link and for a link of a disabled account', async () => {
    for (const fault of [
      'update password_token set expires_at = now() from user_account u where u.id = user_id and u.email = $1',
      'update user_account set is_disabled = true where email = $1',
    ]) {
      const email = await world.createUser();
      await forgot(email).expect(202);
      const { token } = await world.mailTo(email);
      await world.database.query(fault, [email]);
      expect(codeOf(await reset(token).expect(401))).toBe('invalid_password_token');
    }
  });

  it('sends at most five messages an hour, and every link works', async () => {
    const email = await world.createUser();
    for (let index = 0; index < 7; index += 1) {
      await forgot(email).expect(202);
      await jobsAreDone();
    }
    const mails = await world.mailsTo(email);
    expect(mails).toHaveLength(5);
    await reset(mails[0]?.token ?? '').expect(204);
  });

  it('breach lesson, enumeration (CVE-2019-1020002): neither response nor timing reveals whether an address has an account', async () => {
    const [known, disabled] = [await world.createUser(), await world.createUser()];
    await world.database.query('update user_account set is_disabled = true where email = $1', [disabled]);
    const asked = (email: string) => async () => {
      const { body, text, headers } = await forgot(email).expect(202);
      expect([body, text, headers['content-length']]).toEqual([{}, '', '0']);
    };
    const kinds = {
      known: asked(known),
      disabled: asked(disabled),
      unknown: asked('unknown@example.com'),
    };
    expect(await unlikeDurations(kinds, { factor: 2.5, minRounds: 10 })).toBeUndefined();
    await jobsAreDone();
    expect(await world.mailsTo('unknown@example.com')).toEqual([]);
    expect(await world.mailsTo(disabled)).toEqual([]);
  });

  it('stores no token that could be read from the database', async () => {
    const email = await world.createUser();
    await forgot(email).expect(202);
    const { token } = await world.mailTo(email);
    const rows = JSON.stringify(await world.database.query('select t::text from password_token t'));
    expect(rows).toContain(hashSecret(token));
    expect(rows).not.toContain(token);
  });
});

const jobsAreDone = () =>
  until(
    async () => (await world.database.query('select 1 from graphile_worker._private_jobs')).length === 0,
    'the jobs to finish',
  );

describe('a second factor', () => {
  it('is set up with a secret and its QR code, and enabled with a code', async () => {
    const member = await newMember();
    const setUp = () => world.call('post', '/auth/2fa/setup', member);
    const { body } = await setUp().expect(201);
    const { secret, otpauth_uri, qr_code } = body as Schemas['TotpSetup'];
    expect(new URL(otpauth_uri).searchParams.get('secret')).toBe(secret);
    expect(decodeURIComponent(otpauth_uri)).toContain(member.email);
    expect(qr_code).toMatch(/^data:image\/png;base64,/);
    await login(member.email).expect(200);
    expect(codeOf(await post('/auth/2fa/verify', { code: '000000' }, member).expect(422))).toBe(
      'invalid_code',
    );
    const other = await signIn(world.url, member.email);
    const { body: codes } = await post('/auth/2fa/verify', { code: await codeNow(secret) }, member).expect(
      200,
    );
    expect(new Set((codes as Schemas['RecoveryCodes']).recovery_codes).size).toBe(10);
    expect((await me(member).expect(200)).body).toMatchObject({ is_second_factor_on: true });
    await me(other).expect(401);
    expect(codeOf(await setUp().expect(409))).toBe('totp_already_on');
    await challengeOf(member.email);
  });

  it('returns 409 for enabling before setup and for disabling when not enabled', async () => {
    const member = await newMember();
    expect(codeOf(await post('/auth/2fa/verify', { code: '123456' }, member).expect(409))).toBe(
      'totp_not_set_up',
    );
    expect(codeOf(await post('/auth/2fa/disable', { code: '123456' }, member).expect(409))).toBe(
      'totp_not_on',
    );
  });

  it('signs in with the password plus a code or a recovery code in any spelling, and with nothing less', async () => {
    const { member, secret, recoveryCodes } = await memberWithFactor();
    const challenge = await challengeOf(member.email);
    expect(codeOf(await submitCode(challenge, '000000').expect(422))).toBe('invalid_code');
    const { body } = await submitCode(challenge, await codeNow(secret)).expect(200);
    await me({ token: (body as Schemas['Session']).access_token }).expect(200);
    expect(codeOf(await submitCode(challenge, await codeNow(secret, 30)).expect(401))).toBe(
      'invalid_challenge',
    );
    const [recovery = ''] = recoveryCodes;
    await submitCode(await challengeOf(member.email), recovery.toLowerCase().replaceAll('-', ' ')).expect(
      200,
    );
    expect(codeOf(await submitCode(await challengeOf(member.email), recovery).expect(422))).toBe(
      'invalid_code',
    );
  });

  it("rejects another user's code or challenge", async () => {
    const [one, two] = [await memberWithFactor(), await memberWithFactor()];
    const challenge = await challengeOf(one.member.email);
    await submitCode(challenge, await codeNow(two.secret)).expect(422);
    await submitCode(challenge, two.recoveryCodes[0] ?? '').expect(422);
    await submitCode(challenge, await codeNow(one.secret)).expect(200);
  });

  it('returns 403 when the license was revoked after the password step; the code and the challenge are used up', async () => {
    const { member, recoveryCodes } = await memberWithFactor();
    const former = await world.createTenant();
    await world.join(former, member.email, 'Viewer');
    const [code = ''] = recoveryCodes;
    const { body } = await post('/auth/login', {
      email: member.email,
      password,
      license_id: former.license.id,
    }).expect(200);
    const challenge = (body as Schemas['SignInResult']).challenge?.token ?? '';
    await world
      .call('patch', `/api/admin/licenses/${former.license.id}`, world.admin)
      .send({ status: 'revoked' })
      .expect(200);
    expect(codeOf(await submitCode(challenge, code).expect(403))).toBe('license_revoked');
    expect(codeOf(await submitCode(challenge, code).expect(401))).toBe('invalid_challenge');
    expect(codeOf(await submitCode(await challengeOf(member.email), code).expect(422))).toBe('invalid_code');
  });

  it('a challenge allows five attempts, concurrent ones included', async () => {
    const { member, secret } = await memberWithFactor();
    const challenge = await challengeOf(member.email);
    const responses = await Promise.all(Array.from({ length: 12 }, () => submitCode(challenge, '000000')));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([
      ...Array<number>(7).fill(401),
      ...Array<number>(5).fill(422),
    ]);
    await submitCode(challenge, await codeNow(secret)).expect(401);
  });

  it('a challenge expires with time, a password change and account deactivation', async () => {
    for (const end of [
      'update sign_in_challenge set expires_at = now() from user_account u where u.id = user_id and u.email = $1',
      'update user_account set is_disabled = true where email = $1',
    ]) {
      const { member, secret } = await memberWithFactor();
      const challenge = await challengeOf(member.email);
      await world.database.query(end, [member.email]);
      await submitCode(challenge, await codeNow(secret)).expect(401);
    }
    const { member, secret } = await memberWithFactor();
    const challenge = await challengeOf(member.email);
    await change(member).expect(204);
    await submitCode(challenge, await codeNow(secret)).expect(401);
  });

  it('breach lesson, TOTP replay (CVE-2025-69197): of 20 concurrent uses of a code one is accepted, and none before or after', async () => {
    const { member, secret } = await memberWithFactor();
    const challenges = await Promise.all(Array.from({ length: 20 }, () => challengeOf(member.email)));
    const code = await codeNow(secret);
    const earlier = await codeNow(secret, -30);
    const responses = await Promise.all(challenges.map((challenge) => submitCode(challenge, code)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(422)]);
    await submitCode(await challengeOf(member.email), code).expect(422);
    await submitCode(await challengeOf(member.email), earlier).expect(422);
    await post('/auth/2fa/disable', { code }, member).expect(422);
  });

  it('accepts one of 20 concurrent uses of a recovery code', async () => {
    const { member, recoveryCodes } = await memberWithFactor();
    const challenges = await Promise.all(Array.from({ length: 20 }, () => challengeOf(member.email)));
    const responses = await Promise.all(
      challenges.map((challenge) => submitCode(challenge, recoveryCodes[3] ?? '')),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('the code that enabled the factor cannot sign in', async () => {
    const member = await newMember();
    const { body } = await world.call('post', '/auth/2fa/setup', member).expect(201);
    const code = await codeNow((body as Schemas['TotpSetup']).secret);
    await post('/auth/2fa/verify', { code }, member).expect(200);
    await submitCode(await challengeOf(member.email), code).expect(422);
  });

  it('is disabled only with a current code; then the password suffices and other sessions are ended', async () => {
    const { member, secret, recoveryCodes } = await memberWithFactor();
    const { body } = await submitCode(await challengeOf(member.email), recoveryCodes[0] ?? '').expect(200);
    expect(codeOf(await post('/auth/2fa/disable', { code: '000000' }, member).expect(422))).toBe(
      'invalid_code',
    );
    await challengeOf(member.email);
    await post('/auth/2fa/disable', { code: await codeNow(secret) }, member).expect(204);
    await me({ token: (body as Schemas['Session']).access_token }).expect(401);
    await signIn(world.url, member.email);
    expect(
      await world.database.query(
        'select 1 from recovery_code r join user_account u on u.id = r.user_id where u.email = $1',
        [member.email],
      ),
    ).toEqual([]);
  });

  it('stays enabled after a password reset', async () => {
    const { member } = await memberWithFactor();
    await forgot(member.email).expect(202);
    await reset((await world.mailTo(member.email)).token).expect(204);
    await challengeOf(member.email, nextPassword);
  });

  it('a wrong password gets the same response with and without a second factor', async () => {
    const { member } = await memberWithFactor();
    expect(codeOf(await login(member.email, 'wrong').expect(401))).toBe('invalid_credentials');
  });

  it('its secret and codes are unreadable in the database, and an encrypted secret works for its own user only', async () => {
    const [one, two] = [await memberWithFactor(), await memberWithFactor()];
    const rows = JSON.stringify(
      await world.database.query(`select t::text, encode(sealed_secret, 'escape') from totp t`),
    );
    const codes = JSON.stringify(await world.database.query('select * from recovery_code'));
    const audit = JSON.stringify(await world.database.query('select * from audit_entry'));
    expect(rows + audit).not.toContain(one.secret);
    for (const code of one.recoveryCodes) {
      expect(codes + audit).not.toContain(code);
      expect(codes + audit).not.toContain(code.replaceAll('-', ''));
    }
    await world.database.query(
      `update totp set sealed_secret = other.sealed_secret from totp other, user_account a, user_account b
       where totp.user_id = a.id and a.email = $1 and other.user_id = b.id and b.email = $2`,
      [two.member.email, one.member.email],
    );
    expect((await submitCode(await challengeOf(two.member.email), await codeNow(one.secret))).status).toBe(
      500,
    );
  });
});

describe('breach lesson, token confusion (CVE-2026-54593)', () => {
  it('challenge, reset, setup, refresh and access tokens are valid only for their own purpose', async () => {
    const { member, secret } = await memberWithFactor();
    const email = await world.createUser();
    await forgot(email).expect(202);
    const tokens = {
      access: member.token,
      refresh: member.session.refresh_token,
      challenge: await challengeOf(member.email),
      reset: (await world.mailTo(email)).token,
    };
    const code = await codeNow(secret);
    const uses: Record<string, (token: string) => request.Test> = {
      access: (token) => me({ token }),
      refresh: (token) => post('/auth/refresh', { refresh_token: token }),
      challenge: (token) => submitCode(token, code),
      reset: (token) => reset(token),
      setup: (token) => post('/auth/bootstrap', { setup_token: token, email: 'x@example.com', password }),
    };
    for (const [purpose, use] of Object.entries(uses)) {
      for (const [kind, token] of Object.entries(tokens)) {
        if (kind === purpose) continue;
        const { status } = await use(token.slice(0, 200));
        expect([purpose, kind, status]).toEqual([purpose, kind, purpose === 'setup' ? 409 : 401]);
      }
    }
  });
});

describe('sessions', () => {
  const list = (member: Member, query = '') => world.call('get', `/auth/sessions${query}`, member);
  const idsOf = ({ body }: request.Response) => (body as Schemas['UserSessionPage']).data.map(({ id }) => id);

  it('are listed newest first with their origin, without ended ones', async () => {
    const member = await newMember();
    const [second, third] = [await signIn(world.url, member.email), await signIn(world.url, member.email)];
    const program = `launcher/2 ${'x'.repeat(300)}`;
    await post('/auth/refresh', { refresh_token: third.session.refresh_token })
      .set('User-Agent', program)
      .expect(200);
    await post('/auth/logout', { refresh_token: second.session.refresh_token }).expect(204);
    const responded = await list(member).expect(200);
    const { data } = responded.body as Schemas['UserSessionPage'];
    expect(data.map(({ is_current }) => is_current)).toEqual([false, true]);
    expect(data[0]).toMatchObject({
      source: '127.0.0.1',
      user_agent: program.slice(0, 256),
      license_id: tenant.license.id,
    });
    expect(idsOf(await list(third).expect(200))).toEqual(idsOf(responded));
    const { body } = await list(member, '?limit=1').expect(200);
    const page = body as Schemas['UserSessionPage'];
    expect(idsOf(await list(member, `?limit=1&cursor=${page.next_cursor}`).expect(200))).toEqual([
      data[1]?.id,
    ]);
  });

  it('exclude those whose refresh token has expired', async () => {
    const member = await newMember();
    const other = await signIn(world.url, member.email);
    await world.database.query('update refresh_token set expires_at = now() where token_hash = $1', [
      hashSecret(other.session.refresh_token),
    ]);
    expect(idsOf(await list(member).expect(200))).toHaveLength(1);
  });

  it('can be ended one by one, at once', async () => {
    const member = await newMember();
    const other = await signIn(world.url, member.email);
    const socket = await ConsoleSocket.open(world, await createInstance(world, tenant), other);
    const [newest = ''] = idsOf(await list(member).expect(200));
    await world.call('delete', `/auth/sessions/${newest}`, member).expect(204);
    await me(other).expect(401);
    await refresh(other).expect(401);
    await socket.closed(2_000);
    await me(member).expect(200);
    await world.call('delete', `/auth/sessions/${newest}`, member).expect(404);
  });

  it("returns 404 for another user's session, as for an unknown one, and leaves it active", async () => {
    const [member, other] = [await newMember(), await newMember()];
    const [foreign = ''] = idsOf(await list(other).expect(200));
    for (const id of [foreign, someId]) {
      const { body } = await world.call('delete', `/auth/sessions/${id}`, member).expect(404);
      expect(body).toMatchObject({ code: 'not_found', detail: 'No such session.' });
    }
    await me(other).expect(200);
  });

  it('can all be ended except the current one', async () => {
    const member = await newMember();
    const others = [await signIn(world.url, member.email), await signIn(world.url, member.email)];
    const outsider = await newMember();
    await world.call('delete', '/auth/sessions', member).expect(204);
    for (const other of others) {
      await me(other).expect(401);
      await refresh(other).expect(401);
    }
    await me(member).expect(200);
    await me(outsider).expect(200);
    expect(idsOf(await list(member).expect(200))).toHaveLength(1);
  });
});
