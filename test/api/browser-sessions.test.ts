// Operations on the session cookie of a browser: keeping, refreshing and ending a session without tokens in scripts.
import type request from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { World, type Member, type Tenant } from '../support/world.ts';

type Session = components['schemas']['Session'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const newMember = () => world.addMember(tenant, 'Viewer');

const start = (token: string) => world.call('post', '/auth/browser-session').send({ refresh_token: token });
const refresh = (cookie: string) => world.call('post', '/auth/browser-session/refresh').set('Cookie', cookie);
const end = (cookie: string) => world.call('delete', '/auth/browser-session').set('Cookie', cookie);
const me = (token: string) => world.call('get', '/auth/me', { token });
const tokenOf = ({ body }: request.Response) => (body as { access_token: string }).access_token;

/** The attributes of the only cookie that the response sets; its value comes first. */
function cookieOf({ headers }: request.Response): string[] {
  const cookies = headers['set-cookie'] as unknown as string[];
  expect(cookies).toHaveLength(1);
  return cookies[0]?.split('; ') ?? [];
}

async function kept(): Promise<{ member: Member; cookie: string }> {
  const member = await newMember();
  const [cookie = ''] = cookieOf(await start(member.session.refresh_token).expect(200));
  return { member, cookie };
}

describe('startBrowserSession', () => {
  it('keeps the session in a cookie that scripts cannot read', async () => {
    const member = await newMember();
    const response = await start(member.session.refresh_token).expect(200);
    expect(response.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      license_id: tenant.license.id,
    });
    const [value, ...attributes] = cookieOf(response);
    expect(value).toMatch(/^gantry_session=gantry_refresh_[\w-]{20,}$/);
    expect(attributes.filter((attribute) => !attribute.startsWith('Expires='))).toEqual([
      'Max-Age=2592000',
      'Path=/auth/browser-session',
      'HttpOnly',
      'SameSite=Strict',
    ]);
    const { body } = await me(tokenOf(response)).expect(200);
    expect(body).toMatchObject({ email: member.email });
  });

  it('uses the refresh token up', async () => {
    const { session } = await newMember();
    await start(session.refresh_token).expect(200);
    await start('gantry_refresh_unknown0123456789').expect(401);
    const { body } = await world
      .call('post', '/auth/refresh')
      .send({ refresh_token: session.refresh_token })
      .expect(200);
    // As after a lost response: the token that replaces the cookie's is the one that counts.
    expect((body as Session).refresh_token).not.toBe(session.refresh_token);
  });
});

describe('refreshBrowserSession', () => {
  it('may be called by many tabs at once, and again and again', async () => {
    const { cookie } = await kept();
    const responses = await Promise.all(Array.from({ length: 5 }, () => refresh(cookie).expect(200)));
    for (const response of responses) {
      expect(cookieOf(response)[0]).toBe(cookie);
      await me(tokenOf(response)).expect(200);
    }
    await refresh(cookie).expect(200);
  });

  it('extends the cookie’s session on each use', async () => {
    const { cookie, member } = await kept();
    const expiry = `select max(expires_at) > now() + interval '29 days' as is_far from refresh_token
      join user_session on user_session.id = session_id join user_account on user_account.id = user_id where email = $1`;
    await world.database.query(
      `update refresh_token set expires_at = now() + interval '1 minute' from user_session, user_account
       where user_session.id = session_id and user_account.id = user_id and email = $1`,
      [member.email],
    );
    await refresh(cookie).expect(200);
    expect(await world.database.query(expiry, [member.email])).toMatchObject([{ is_far: true }]);
  });

  it('refuses a cookie that is missing, foreign, expired, or of an ended session', async () => {
    const { cookie, member } = await kept();
    const refused = async (response: request.Test) => {
      const { body } = await response.expect(401);
      expect(body).toMatchObject({ code: 'invalid_refresh_token' });
    };
    await refused(world.call('post', '/auth/browser-session/refresh'));
    await refused(refresh('gantry_session=gantry_refresh_unknown0123456789'));
    await refused(refresh('other=1; gantry_session='));
    await refused(refresh(`gantry_session=${(await newMember()).session.refresh_token}`));
    await world.database.query(
      `update user_session set ended_at = now() from user_account where user_account.id = user_id and email = $1`,
      [member.email],
    );
    await refused(refresh(cookie));
  });

  it('refuses the value of the cookie as a refresh token', async () => {
    const { cookie } = await kept();
    const value = cookie.replace('gantry_session=', '');
    await world.call('post', '/auth/refresh').send({ refresh_token: value }).expect(401);
    await start(value).expect(401);
    await refresh(cookie).expect(200);
  });

  it('stays in the license that the session was switched to', async () => {
    const { cookie, member } = await kept();
    const other = await world.createTenant();
    await world.join(other, member.email, 'Viewer');
    const token = tokenOf(await refresh(cookie).expect(200));
    await world
      .call('post', '/auth/switch-license', { token })
      .send({ license_id: other.license.id })
      .expect(200);
    expect((await refresh(cookie).expect(200)).body).toMatchObject({ license_id: other.license.id });
  });
});

describe('endBrowserSession', () => {
  it('ends the session and removes the cookie', async () => {
    const { cookie } = await kept();
    const token = tokenOf(await refresh(cookie).expect(200));
    const [value, ...attributes] = cookieOf(await end(cookie).expect(204));
    expect(value).toBe('gantry_session=');
    expect(attributes).toContain('Max-Age=0');
    await me(token).expect(401);
    await refresh(cookie).expect(401);
  });

  it('succeeds without a session', async () => {
    await world.call('delete', '/auth/browser-session').expect(204);
    await end('gantry_session=gantry_refresh_unknown0123456789').expect(204);
  });
});

describe('requests of other origins', () => {
  const foreign: [string, Record<string, string>][] = [
    ['a cross-site page', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page of a sibling domain', { 'Sec-Fetch-Site': 'same-site' }],
    ['an address that was typed', { 'Sec-Fetch-Site': 'none' }],
    ['another origin over plain HTTP', { Origin: 'http://evil.example' }],
    ['an origin without a name', { Origin: 'null' }],
  ];

  it.each(foreign)('are refused: %s', async (_name, headers) => {
    const { cookie } = await kept();
    const { session } = await newMember();
    for (const call of [start(session.refresh_token), refresh(cookie), end(cookie)]) {
      const { body } = await call.set(headers).expect(403);
      expect(body).toMatchObject({ code: 'cross_origin' });
    }
    await refresh(cookie).expect(200);
  });

  it('are not those of the page itself', async () => {
    const { cookie } = await kept();
    await refresh(cookie).set({ Host: 'panel.example', Origin: 'https://panel.example' }).expect(200);
    await refresh(cookie)
      .set({ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://panel.example' })
      .expect(200);
  });
});

it('lists the session among the sessions of the user, and ends it there', async () => {
  const { cookie } = await kept();
  const token = tokenOf(await refresh(cookie).expect(200));
  const { body } = await world.call('get', '/auth/sessions', { token }).expect(200);
  const own = (body as { data: { id: string; is_current: boolean }[] }).data.filter(
    ({ is_current }) => is_current,
  );
  expect(own).toHaveLength(1);
  await world.call('delete', `/auth/sessions/${own[0]?.id ?? ''}`, { token }).expect(204);
  await refresh(cookie).expect(401);
});
