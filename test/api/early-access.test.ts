// Operations of the area `early-access`: signup, confirmation, and the 25 places of the Founding Admin
// Program.
import request from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { World } from '../support/world.ts';

type Schemas = components['schemas'];
type Receipt = Schemas['EarlyAccessReceipt'];
type Standing = Schemas['EarlyAccessConfirmationResult'];

let world: World;
let number = 0;

beforeAll(async () => {
  world = await World.create({ roles: ['api', 'jobs'] });
});

beforeEach(async () => {
  await world.database.query('delete from early_access_claim');
  await world.database.query('delete from early_access_signup');
});

afterAll(async () => {
  await world.close();
});

const newAddress = () => `admin-${++number}@example.com`;

async function signUp(email: string, url = world.url): Promise<Receipt> {
  const { body } = await request(url).post('/api/early-access').send({ email, server_count: 4 }).expect(202);
  return body as Receipt;
}

const tokenOf = (link: string) => decodeURIComponent(new URL(link).hash.slice(1));

const sendToken = (token: string) => world.call('post', '/api/early-access/confirmations').send({ token });

async function confirm(email: string, skip = 0): Promise<Standing> {
  const { link } = await world.mailTo(email, skip);
  const { body } = await sendToken(tokenOf(link)).expect(200);
  return body as Standing;
}

async function listed(): Promise<Schemas['EarlyAccessSignup'][]> {
  const { body } = await world.call('get', '/api/admin/early-access?limit=100', world.admin).expect(200);
  return (body as Schemas['EarlyAccessSignupPage']).data;
}

/** Makes every claim older by the given time. */
async function letPass(interval: string): Promise<void> {
  await world.database.query(
    `update early_access_claim set expires_at = expires_at - $1::interval,
       mailed_at = mailed_at - $1::interval, created_at = created_at - $1::interval`,
    [interval],
  );
}

describe('signing up', () => {
  it('signUpForEarlyAccess: returns 202 without taking a place; confirming takes it', async () => {
    const email = newAddress();
    expect(await signUp(email)).toEqual({ founding_places: 25, founding_places_left: 25 });
    const { subject, text, link } = await world.mailTo(email);
    expect(subject).toBe('Your place in the Founding Admin Program');
    expect(text).toContain(email);
    expect(link).toContain('/early-access#gantry_signup_');
    expect(await listed()).toMatchObject([
      { email, server_count: 4, confirmed_at: null, founding_place_at: null },
    ]);
    const standing = { email, holds_founding_place: true, founding_places: 25, founding_places_left: 24 };
    expect(await confirm(email)).toEqual(standing);
    expect(await confirm(email)).toEqual(standing);
    expect(await listed()).toMatchObject([
      { email, confirmed_at: expect.stringMatching(/Z$/), founding_place_at: expect.stringMatching(/Z$/) },
    ]);
  });

  it('signUpForEarlyAccess: returns 202 without reserving a place for any number of unconfirmed addresses', async () => {
    for (let attempt = 0; attempt < 30; attempt += 1) await signUp(newAddress());
    const real = newAddress();
    expect((await signUp(real)).founding_places_left).toBe(25);
    expect(await confirm(real)).toMatchObject({ holds_founding_place: true, founding_places_left: 24 });
  });

  it('signUpForEarlyAccess: returns the same 202 for a repeated address, which keeps one place, and reveals nothing', async () => {
    const known = newAddress();
    await signUp(known);
    await confirm(known);
    const again = await signUp(known.toUpperCase());
    expect(again).toEqual(await signUp(newAddress()));
    expect(again.founding_places_left).toBe(24);
    expect(await confirm(known, 1)).toMatchObject({ holds_founding_place: true, founding_places_left: 24 });
    expect((await listed()).filter(({ email }) => email === known)).toHaveLength(1);
  });

  it('signUpForEarlyAccess: returns 202 and grants at most 25 places to 30 concurrent confirmations over two replicas', async () => {
    const replica = await world.addReplica();
    const addresses = Array.from({ length: 30 }, newAddress);
    await Promise.all(
      addresses.map((email, index) => signUp(email, index % 2 === 0 ? world.url : replica.url)),
    );
    const tokens = await Promise.all(
      addresses.map(async (email) => tokenOf((await world.mailTo(email)).link)),
    );
    const standings = await Promise.all(
      tokens.map((token, index) =>
        request(index % 2 === 0 ? world.url : (replica.url ?? ''))
          .post('/api/early-access/confirmations')
          .send({ token })
          .expect(200),
      ),
    );
    expect(standings.filter(({ body }) => (body as Standing).holds_founding_place)).toHaveLength(25);
    expect((await listed()).filter(({ founding_place_at }) => founding_place_at !== null)).toHaveLength(25);
    const late = newAddress();
    expect((await signUp(late)).founding_places_left).toBe(0);
    expect((await world.mailTo(late)).subject).toBe('Your signup for early access');
    expect(await confirm(late)).toMatchObject({ holds_founding_place: false, founding_places_left: 0 });
  });

  it('signUpForEarlyAccess: returns 202 and sends an address at most three messages a day, from any source', async () => {
    const email = newAddress();
    for (let attempt = 0; attempt < 5; attempt += 1) await signUp(email);
    const other = newAddress();
    await signUp(other);
    await world.mailTo(other);
    await world.mailTo(email, 2);
    const [row] = await world.database.query<{ count: number }>(
      'select count(*)::int as count from early_access_claim where email = $1 and mailed_at is not null',
      [email],
    );
    expect(row?.count).toBe(3);
  });

  it('signUpForEarlyAccess: returns 400 for an invalid address or number', async () => {
    for (const body of [
      { email: 'no-address', server_count: 1 },
      { email: 'a@example.com', server_count: -1 },
      { email: 'a@example.com', server_count: 1.5 },
      { email: 'a@example.com' },
      { email: 'a@example.com', server_count: 1, is_admin: true },
    ])
      await world.call('post', '/api/early-access').send(body).expect(400);
  });
});

describe('confirming', () => {
  it('confirmEarlyAccessSignup: returns 200 and adopts the details of that signup', async () => {
    const email = newAddress();
    await signUp(email);
    await world.mailTo(email);
    await world.call('post', '/api/early-access').send({ email, server_count: 9 }).expect(202);
    await world.mailTo(email, 1);
    expect(await listed()).toMatchObject([{ server_count: 4 }]);
    await confirm(email, 1);
    expect(await listed()).toMatchObject([{ server_count: 9 }]);
  });

  it('confirmEarlyAccessSignup: returns 401 for an invalid or expired link', async () => {
    const { body } = await sendToken('gantry_signup_of_nobody').expect(401);
    expect(body).toMatchObject({ code: 'invalid_link' });
    const email = newAddress();
    await signUp(email);
    const { link } = await world.mailTo(email);
    await letPass('8 days');
    await sendToken(tokenOf(link)).expect(401);
  });
});

it('signUpForEarlyAccess: returns 429 beyond five an hour from one address', async () => {
  const strict = await World.create({ roles: ['api'], rateLimitFactor: 1 });
  try {
    const send = () =>
      strict.call('post', '/api/early-access').send({ email: newAddress(), server_count: 1 });
    for (let attempt = 0; attempt < 5; attempt += 1) await send().expect(202);
    const { headers } = await send().expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  } finally {
    await strict.close();
  }
});
