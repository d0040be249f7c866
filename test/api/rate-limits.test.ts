// Rate limits: response headers, refusals, and the guarantee that no caller can lock out another.
import { createHash } from 'node:crypto';
import request from 'supertest';
import { limitClasses } from '../../src/rate-limits/classes.ts';
import { networkOf } from '../../src/network/ip-networks.ts';
import { createApiKey } from '../../src/secrets/random-secrets.ts';
import { operations } from '../support/contract.ts';
import { createInstance } from '../support/rows.ts';
import { password, signIn, World } from '../support/world.ts';

let world: World;

/** As in production, with a proxy in front that passes the client's address. */
beforeAll(async () => {
  world = await World.create({ roles: ['api'], rateLimitFactor: 1, trustProxy: 1 });
});

afterAll(async () => {
  await world.close();
});

let lastSource = 0;
const newSource = () => `198.51.100.${++lastSource}`;

const login = (email: string, source: string, secret = 'wrong', url = world.url) =>
  request(url).post('/auth/login').set('X-Forwarded-For', source).send({ email, password: secret });

async function failTimes(times: number, email: string, source: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) statuses.push((await login(email, source)).status);
  return statuses;
}

describe('signing in', () => {
  it('returns 429 after ten failures of one account from one address, with Retry-After', async () => {
    const [email, source] = [await world.createUser(), newSource()];
    expect(await failTimes(10, email, source)).toEqual(Array<number>(10).fill(401));
    const { body, headers } = await login(email, source, password).expect(429);
    expect(body).toMatchObject({ code: 'rate_limited', status: 429, type: '/problems/rate_limited' });
    const seconds = Number(headers['retry-after']);
    expect(seconds).toBeGreaterThan(800);
    expect(seconds).toBeLessThanOrEqual(900);
    expect((body as { detail: string }).detail).toContain(`${seconds} seconds`);
    expect(headers['ratelimit-policy']).toBe(
      '"sign-in-source";q=100;w=300, "sign-in-account-and-source";q=10;w=900',
    );
    expect(headers['ratelimit']).toMatch(/"sign-in-account-and-source";r=0;t=\d+$/);
  });

  it('returns the same 429 for an unknown address: the limit does not reveal who has an account', async () => {
    const source = newSource();
    expect((await failTimes(11, 'unknown@example.com', source)).at(-1)).toBe(429);
  });

  it('counts failures only, for any case of the address', async () => {
    const [email, source] = [await world.createUser(), newSource()];
    for (let time = 0; time < 12; time += 1) await login(email, source, password).expect(200);
    expect(await failTimes(5, email.toUpperCase(), source)).toEqual(Array<number>(5).fill(401));
    expect((await failTimes(6, email, source)).at(-1)).toBe(429);
  });

  it('does not count successes among concurrent failures', async () => {
    const [email, source] = [await world.createUser(), newSource()];
    const responses = await Promise.all(Array.from({ length: 20 }, () => login(email, source, password)));
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10);
    await login(email, source, password).expect(200);
  });

  it('breach lesson, global lockout (CVE-2026-61609): an attacker locks out neither the owner elsewhere nor other accounts', async () => {
    const [email, other] = [await world.createUser(), await world.createUser()];
    const attacker = newSource();
    await failTimes(40, email, attacker);
    await login(email, attacker, password).expect(429);
    await login(email, newSource(), password).expect(200);
    await login(other, attacker, password).expect(200);
    // Refusals of one address are not counted against the account.
    const [counter] = await world.database.query<{ points: number }>(
      'select points from rate_limit where key = $1',
      [counterOf('sign-in-account', email)],
    );
    expect(counter?.points).toBe(10);
  });

  it("breach lesson, global lockout: an attack from many addresses blocks unknown addresses, not the owner's known ones", async () => {
    const email = await world.createUser();
    const home = newSource();
    await login(email, home, password).expect(200);
    await exhaust('sign-in-account', email);
    await login(email, newSource(), password).expect(429);
    await login(email, home, password).expect(200);
    await login('unknown@example.com', home).expect(401);
  });

  it("exempts the whole IPv6 network of an owner's known address, because addresses change daily", async () => {
    const email = await world.createUser();
    await login(email, '2001:db8:1:2::1', password).expect(200);
    await exhaust('sign-in-account', email);
    await login(email, '2001:db8:1:2:aaaa:bbbb:cccc:dddd', password).expect(200);
    await login(email, '2001:db8:1:3::1', password).expect(429);
  });

  it('returns 429 for one address that tries many accounts', async () => {
    const source = newSource();
    const statuses = await Promise.all(
      Array.from({ length: 110 }, (_, index) => login(`user-${index}@example.com`, source)),
    );
    expect(statuses.filter(({ status }) => status === 429).length).toBe(10);
    await login(await world.createUser(), newSource(), password).expect(200);
  });

  it('counts for all replicas together', async () => {
    const replica = await world.addReplica();
    const [email, source] = [await world.createUser(), newSource()];
    await failTimes(6, email, source);
    for (let time = 0; time < 4; time += 1) await login(email, source, 'wrong', replica.url).expect(401);
    await login(email, source, 'wrong', replica.url).expect(429);
    await login(email, source).expect(429);
  });

  it('cannot be bypassed with a forged address: the one the proxy saw counts', async () => {
    const [email, source] = [await world.createUser(), newSource()];
    for (let time = 0; time < 11; time += 1) await login(email, `203.0.113.${time}, ${source}`);
    await login(email, `203.0.113.99, ${source}`).expect(429);
  });

  it('stores no e-mail or network address in the table', async () => {
    await failTimes(2, 'known-account@example.com', '203.0.113.200');
    const rows = JSON.stringify(await world.database.query('select key from rate_limit'));
    expect(rows).toContain('sign-in-source');
    expect(rows).not.toMatch(/known-account|203\.0\.113/);
  });
});

const counterOf = (name: string, key: string) =>
  `${name}:${createHash('sha256').update(key).digest('base64url')}`;

/** Fills the counter, as many attackers would. */
async function exhaust(name: string, key: string): Promise<void> {
  await world.database.query(
    `insert into rate_limit (key, points, expire) values ($1, 100000, $2)
     on conflict (key) do update set points = excluded.points, expire = excluded.expire`,
    [counterOf(name, key), Date.now() + 3_600_000],
  );
}

it('password resets: returns 429 after five for one address, from that address only', async () => {
  const source = newSource();
  const ask = (from: string) =>
    world.call('post', '/auth/forgot-password').set('X-Forwarded-For', from).send({ email: 'a@example.com' });
  for (let time = 0; time < 5; time += 1) await ask(source).expect(202);
  await ask(source).expect(429);
  await ask(newSource()).expect(202);
});

it('challenges: failures of an account are counted across all its challenges', async () => {
  const email = await world.createUser();
  await world.database.query(
    `insert into totp (user_id, sealed_secret, confirmed_at) select id, '\\x00', now() from user_account where email = $1`,
    [email],
  );
  const source = newSource();
  const statuses: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const { body } = await login(email, source, password).expect(200);
    const { challenge } = body as { challenge: { token: string } };
    for (let time = 0; time < 4; time += 1) {
      const { status } = await world
        .call('post', '/auth/login/totp')
        .set('X-Forwarded-For', source)
        .send({ challenge_token: challenge.token, code: 'AAAA-AAAA-AAAA-AAAA' });
      statuses.push(status);
    }
  }
  expect(statuses).toEqual([...Array<number>(10).fill(422), 429, 429]);
});

/** A source that sends 12 wrong credentials within one minute, so that no window ends in between. */
let strict: World;

beforeAll(async () => {
  strict = await World.create({ roles: ['api'], rateLimitFactor: 12 / 300, trustProxy: 1 });
});

afterAll(async () => {
  await strict.close();
});

describe('requests that violate the contract', () => {
  const max = 48;

  it.each([
    ['/auth/me', 'general-principal', () => ({ unknown: 1 })],
    ['/api/public/status', undefined, () => ({ limit: 0 })],
  ])('count for %s', async (path, name, query) => {
    const source = newSource();
    const member = name === undefined ? undefined : await signIn(strict.url, await strict.createUser());
    const ask = () => strict.call('get', path, member).query(query()).set('X-Forwarded-For', source);
    const { headers } = await ask().expect(400);
    const left = Number(/;r=(\d+);/.exec(String(headers['ratelimit']))?.[1]);
    for (let count = 0; count < left; count += 1) await ask().expect(400);
    await ask().expect(429);
  });

  it('count for classes that are counted across replicas, too, without rate-limit headers', async () => {
    const source = newSource();
    const ask = () => strict.call('post', '/api/early-access').set('X-Forwarded-For', source).send({});
    for (let count = 0; count < max; count += 1) {
      const { headers } = await ask().expect(400);
      expect(headers['ratelimit']).toBeUndefined();
    }
    const { headers } = await ask().expect(429);
    expect(headers['ratelimit-policy']).toBe(`"general-principal";q=${max};w=60`);
  });
});

describe('invalid credentials', () => {
  const ask = (to: string, header: string, value: string, source: string) =>
    strict.call('get', to).set(header, value).set('X-Forwarded-For', source);
  const me = (source: string) => strict.call('get', '/auth/me', strict.admin).set('X-Forwarded-For', source);

  /** One for every scheme. */
  const guesses = (source: string) => [
    ask('/api/fleet/clusters', 'X-Api-Key', createApiKey().key, source),
    ask('/auth/me', 'Authorization', 'Bearer no.token.atall', source),
    ask('/api/admin/licenses', 'Authorization', 'Basic eDp5', source),
    strict
      .call('post', '/api/agent/session', { token: 'gantry_companion_of_nobody' })
      .set('X-Forwarded-For', source)
      .send({}),
  ];

  it('return 429 beyond the limit, for valid ones from that address too, and for no other address', async () => {
    const source = newSource();
    for (const status of [401, 401, 401, 429]) {
      const responses = await Promise.all(guesses(source));
      expect(responses.map((response) => response.status)).toEqual(Array<number>(4).fill(status));
    }
    const { body, headers } = await me(source).expect(429);
    expect(body).toMatchObject({ code: 'rate_limited' });
    expect(headers['ratelimit-policy']).toBe('"authentication-source";q=12;w=60');
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    await me(newSource()).expect(200);
    await strict.call('get', '/auth/me').set('X-Forwarded-For', source).expect(401);
  });

  it('exclude valid and missing credentials', async () => {
    const source = newSource();
    await me(source).expect(200);
    await strict.call('get', '/auth/me').set('X-Forwarded-For', source).expect(401);
    for (const remaining of [12, 11]) {
      const { headers } = await ask('/auth/me', 'Authorization', 'Bearer x', source).expect(401);
      expect(headers['ratelimit']).toMatch(new RegExp(`^"authentication-source";r=${remaining};`));
    }
  });
});

it('tickets: 60 a minute for one user', async () => {
  const tenant = await world.createTenant();
  const instanceId = await createInstance(world, tenant);
  const ask = () => world.call('post', `/api/instances/${instanceId}/console-tickets`, tenant.owner);
  const responses = await Promise.all(Array.from({ length: 62 }, ask));
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(2);
  await world.call('get', '/auth/me', tenant.owner).expect(200);
});

it('other operations are counted for each caller, and report the limit in headers', async () => {
  const member = await signIn(world.url, await world.createUser());
  const first = await world.call('get', '/auth/me', member).expect(200);
  expect(first.headers['ratelimit-policy']).toBe('"general-principal";q=1200;w=60');
  expect(first.headers['ratelimit']).toMatch(/^"general-principal";r=1199;t=\d+$/);
  const second = await world.call('get', '/auth/me', member).expect(200);
  expect(second.headers['ratelimit']).toMatch(/;r=1198;/);
});

it('every class is used by an operation, and every entry point has a class of its own', () => {
  const used = new Set(['authentication', ...operations.map(({ rateLimit }) => rateLimit ?? 'general')]);
  expect([...used].toSorted()).toEqual(Object.keys(limitClasses).toSorted());
  const open = operations.filter(
    ({ security, rateLimit }) => security.length === 0 && rateLimit === undefined,
  );
  // Their tokens and signatures have too much entropy to be guessed.
  expect(open.map(({ id }) => id)).toEqual([
    'refreshSession',
    'startBrowserSession',
    'endBrowserSession',
    'refreshBrowserSession',
    'signOut',
    'downloadMapForAgent',
  ]);
});

it('one source is an IPv4 address or an IPv6 network', () => {
  expect(networkOf('::ffff:198.51.100.7')).toBe('198.51.100.7');
  expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff::9'));
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  expect(networkOf('')).toBe('');
});

it('returns 429 as a page beyond the limit of store page views', async () => {
  const source = newSource();
  const visit = () => request(world.url).get('/store/no-such-store').set('X-Forwarded-For', source);
  const max = 600;
  const together = 50;
  for (let count = 0; count < max; count += together) {
    const responses = await Promise.all(Array.from({ length: together }, visit));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([404]));
  }
  const { text, headers } = await visit().expect(429);
  expect(text).toContain('<h1>Too many requests</h1>');
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
});
