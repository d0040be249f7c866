// Operations of the area `admin-licenses`: super admins create, find, revoke and activate licenses.
import { randomUUID } from 'node:crypto';
import type { components } from '../../generated/platform.d.ts';
import { hashSecret } from '../../src/secrets/random-secrets.ts';
import { someId } from '../support/contract.ts';
import { until } from '../support/until.ts';
import { signIn, World } from '../support/world.ts';

type Schemas = components['schemas'];
type Created = Schemas['CreatedLicense'];

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

const create = (input?: object, key?: string, admin: { token: string } = world.admin) => {
  const test = world.call('post', '/api/admin/licenses', admin);
  if (key !== undefined) test.set('Idempotency-Key', key);
  return input === undefined ? test : test.send(input);
};

const created = async (input: object = {}): Promise<Created> =>
  (await create(input).expect(201)).body as Created;

const get = (id: string) => world.call('get', `/api/admin/licenses/${id}`, world.admin);

const setStatus = (id: string, status: string) =>
  world.call('patch', `/api/admin/licenses/${id}`, world.admin).send({ status });

const uniqueWord = () => `w${randomUUID().replaceAll('-', '').slice(0, 12)}`;

async function list(query: string): Promise<Schemas['LicensePage']> {
  const { body } = await world.call('get', `/api/admin/licenses?${query}`, world.admin).expect(200);
  return body as Schemas['LicensePage'];
}

const userNamed = (email: string) =>
  world.database.query<{ id: string; password_hash: string | null }>(
    'select id, password_hash from user_account where email = $1',
    [email],
  );

describe('createLicense', () => {
  it('returns 201 for an empty or missing body: generates key, name and subdomain, and the caller owns it', async () => {
    for (const input of [{}, undefined]) {
      const { body } = await create(input).expect(201);
      const license = body as Created;
      expect(license).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        key: expect.stringMatching(/^GNTRY(-[0-9A-HJKMNP-TV-Z]{5}){5}$/),
        name: expect.stringMatching(/^License [a-z0-9]{8}$/),
        subdomain: expect.stringMatching(/^license-[a-z0-9]{8}$/),
        status: 'active',
        is_sandbox: false,
        owner_email: world.admin.email,
        created_at: expect.any(String),
        revoked_at: null,
        companion_token: expect.stringMatching(/^gantry_companion_[\w-]{43}$/),
      });
      const shown = `${license.name} ${license.subdomain}`.toUpperCase();
      expect(license.key.split('-').filter((group) => shown.includes(group))).toEqual([]);
    }
  });

  it('returns 201 with its four roles and its owner', async () => {
    const email = await world.createUser();
    const { id } = await created({ owner_email: email.toUpperCase() });
    const roles = await world.database.query(
      `select role.name, role.is_system, array_remove(array_agg(u.email), null) as members from role
       left join membership on membership.role_id = role.id left join user_account u on u.id = membership.user_id
       where role.license_id = $1 group by role.id order by role.name`,
      [id],
    );
    expect(roles).toEqual([
      { name: 'Head Admin', is_system: true, members: [] },
      { name: 'Moderator', is_system: true, members: [] },
      { name: 'Owner', is_system: true, members: [email] },
      { name: 'Viewer', is_system: true, members: [] },
    ]);
    const { session } = await signIn(world.url, email);
    expect(session.license_id).toBe(id);
  });

  it('returns 201 for an unknown owner and creates an account without a password', async () => {
    const email = `${uniqueWord()}@example.com`;
    expect(await created({ owner_email: email })).toMatchObject({ owner_email: email });
    expect(await userNamed(email)).toMatchObject([{ password_hash: null }]);
    await world.call('post', '/auth/login').send({ email, password: 'any password at all' }).expect(401);
  });

  it('returns 201 for an unknown owner and sends one message with a link valid for a week', async () => {
    const sending = await World.create({ roles: ['api', 'jobs'] });
    try {
      const email = `${uniqueWord()}@example.com`;
      const known = await sending.createUser();
      const createFor = (owner_email: string, name: string) =>
        sending
          .call('post', '/api/admin/licenses', sending.admin)
          .send({ owner_email, name })
          .set('Idempotency-Key', `license ${name}`.replaceAll(' ', '-'))
          .expect(201);
      await createFor(email, 'Rusty Islands');
      await createFor(email, 'Rusty Islands');
      const message = await sending.mailTo(email);
      expect(message).toMatchObject({ to: email, subject: 'Your account for Rusty Islands' });
      const tokens = await sending.database.query(
        `select expires_at - created_at between '6 days 23 hours' and '7 days 1 minute' as is_for_a_week
         from password_token where token_hash = $1`,
        [hashSecret(message.token)],
      );
      expect(tokens).toEqual([{ is_for_a_week: true }]);
      await createFor(email, 'Another');
      await createFor(known, 'Of a known owner');
      const waiting = () =>
        sending.database.query(`select 1 from graphile_worker.jobs where task_identifier = 'send-mail'`);
      await until(async () => (await waiting()).length === 0, 'the queue to drain');
      expect(await sending.mailsTo(email)).toHaveLength(1);
      expect(await sending.mailsTo(known)).toEqual([]);
    } finally {
      await sending.close();
    }
  });

  describe('without a step-up', () => {
    const plainSession = async () => signIn(world.url, world.admin.email);

    it.each([
      ['unknown', async () => `${uniqueWord()}@example.com`],
      ['known', async () => world.createUser()],
    ])('returns 403 for an owner who is %s: a token alone adds no member', async (_who, someEmail) => {
      const owner_email = await someEmail();
      const before = await userNamed(owner_email);
      const { body } = await create({ owner_email }, undefined, await plainSession()).expect(403);
      expect(body).toMatchObject({ code: 'step_up_required' });
      expect(await userNamed(owner_email)).toEqual(before);
      expect(
        await world.database.query('select id from license where owner_email = $1', [owner_email]),
      ).toEqual([]);
    });

    it('returns 201 when the caller is the owner, named or not', async () => {
      const session = await plainSession();
      await create({}, undefined, session).expect(201);
      const owner_email = session.email.toUpperCase();
      const { body } = await create({ owner_email }, undefined, session).expect(201);
      expect(body).toMatchObject({ owner_email: session.email });
    });
  });

  it("returns 201 when the owner's account is created concurrently", async () => {
    const email = `${uniqueWord()}@example.com`;
    const { status, body } = await world.database.commitWhileWaiting(
      'insert into user_account (email) values ($1)',
      [email],
      () => create({ owner_email: email }),
    );
    expect([status, body]).toMatchObject([201, { owner_email: email }]);
    expect(await userNamed(email)).toHaveLength(1);
  });

  it('returns 201 with the companion token, shown once and stored as a hash', async () => {
    const { id, companion_token } = await created();
    const rows = await world.database.query<{ companion_token_hash: string }>(
      'select companion_token_hash from license where id = $1',
      [id],
    );
    expect(rows).toEqual([{ companion_token_hash: hashSecret(companion_token) }]);
    expect((await get(id).expect(200)).body).not.toHaveProperty('companion_token');
    expect(JSON.stringify(await list('limit=100'))).not.toContain('companion_token');
  });

  it('returns 201, and its creator can work in it after a refresh', async () => {
    const email = await world.createUser();
    await world.database.query('update user_account set is_super_admin = true where email = $1', [email]);
    const admin = await signIn(world.url, email);
    await world.call('get', '/api/fleet/hosts', admin).expect(403);
    const { id } = (await create({}, undefined, admin).expect(201)).body as Created;
    const { body } = await world
      .call('post', '/auth/refresh')
      .send({ refresh_token: admin.session.refresh_token })
      .expect(200);
    expect(body).toMatchObject({ license_id: id });
    await world
      .call('get', '/api/fleet/hosts', { token: (body as Schemas['Session']).access_token })
      .expect(200);
  });

  it('returns 409 for a taken subdomain and rolls everything back', async () => {
    const subdomain = uniqueWord();
    await created({ subdomain });
    const owner_email = `${uniqueWord()}@example.com`;
    const { body } = await create({ subdomain, owner_email }).expect(409);
    expect(body).toMatchObject({ code: 'subdomain_taken' });
    expect(await userNamed(owner_email)).toEqual([]);
  });

  it.each(['www', 'api', 'admin', 'mail', 'status', 'docs', 'mta-sts'])(
    'returns 409 for %s, which is reserved for the platform',
    async (subdomain) => {
      const { body } = await create({ subdomain }).expect(409);
      expect(body).toMatchObject({ code: 'subdomain_taken' });
    },
  );

  it('returns 409 for a subdomain released by another license in the last 90 days, then 201', async () => {
    const subdomain = uniqueWord();
    const { id } = await created({ subdomain });
    await world.database.query('update license set subdomain = $2 where id = $1', [id, uniqueWord()]);
    expect((await create({ subdomain }).expect(409)).body).toMatchObject({ code: 'subdomain_taken' });
    await world.database.query(
      `update former_subdomain set freed_at = freed_at - interval '90 days' where license_id = $1`,
      [id],
    );
    await create({ subdomain }).expect(201);
  });

  it('returns 201 for exactly one of 20 concurrent requests for one subdomain', async () => {
    const subdomain = uniqueWord();
    const responses = await Promise.all(Array.from({ length: 20 }, () => create({ subdomain })));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)]);
  });

  it.each(['ab', 'Upper', '-start', 'end-', 'a_b', 'a.b', 'a b', 'ünder', 'x'.repeat(64), '', 'a\u0000b'])(
    'returns 400 for the subdomain %j',
    async (subdomain) => {
      const { body } = await create({ subdomain }).expect(400);
      expect(body).toMatchObject({ code: 'validation_failed' });
    },
  );

  it('returns 400 for an invalid owner address', async () => {
    const { body } = await create({ owner_email: 'no-address' }).expect(400);
    expect(body).toMatchObject({ errors: [{ pointer: '/owner_email' }] });
  });

  describe('with an Idempotency-Key', () => {
    it('returns 201 with the stored response, companion token included, for the same request, and creates one license', async () => {
      const key = randomUUID();
      const input = { subdomain: uniqueWord() };
      const first = await create(input, key).expect(201);
      const again = await create(input, key).expect(201);
      expect(again.body).toEqual(first.body);
      expect((await list(`q=${input.subdomain}`)).data).toHaveLength(1);
    });

    it('returns 201 with the stored response after the session was refreshed and switched to a license', async () => {
      const email = await world.createUser();
      await world.database.query('update user_account set is_super_admin = true where email = $1', [email]);
      const before = await signIn(world.url, email);
      expect(before.session.license_id).toBeNull();
      const key = randomUUID();
      const first = await create({}, key, before).expect(201);
      const { body } = await world
        .call('post', '/auth/refresh')
        .send({ refresh_token: before.session.refresh_token })
        .expect(200);
      const session = body as { access_token: string; license_id: string | null };
      expect(session.license_id).toBe((first.body as Created).id);
      const again = await create({}, key, { ...before, token: session.access_token }).expect(201);
      expect(again.body).toEqual(first.body);
    });

    it('returns 422 for a different request', async () => {
      const key = randomUUID();
      await create({ name: 'One' }, key).expect(201);
      const { body } = await create({ name: 'Other' }, key).expect(422);
      expect(body).toMatchObject({ code: 'idempotency_key_reused' });
    });

    it('returns 201 or 409 for 20 concurrent requests, and creates one license', async () => {
      const key = randomUUID();
      const name = uniqueWord();
      const responses = await Promise.all(Array.from({ length: 20 }, () => create({ name }, key)));
      const [good, inFlight] = [
        responses.filter(({ status }) => status === 201),
        responses.filter(({ status }) => status === 409),
      ];
      expect(good.length).toBeGreaterThanOrEqual(1);
      expect(good.length + inFlight.length).toBe(20);
      for (const { body } of inFlight) expect(body).toMatchObject({ code: 'idempotency_in_flight' });
      expect(new Set(good.map(({ body }) => (body as Created).id)).size).toBe(1);
      expect((await list(`q=${name}`)).data).toHaveLength(1);
    });

    it("returns 201 for another user's same key and creates a license of their own", async () => {
      const key = randomUUID();
      const email = await world.createUser();
      await world.database.query('update user_account set is_super_admin = true where email = $1', [email]);
      const other = await signIn(world.url, email);
      const mine = (await create({}, key).expect(201)).body as Created;
      const theirs = (await create({}, key, other).expect(201)).body as Created;
      expect(theirs.id).not.toBe(mine.id);
    });

    it('returns 201 after a failure, which is not stored', async () => {
      const key = randomUUID();
      const subdomain = uniqueWord();
      const { id } = await created({ subdomain });
      await create({ subdomain }, key).expect(409);
      await world.database.query('delete from license where id = $1', [id]);
      await create({ subdomain }, key).expect(201);
    });

    it('encrypts the stored response so that only the holder of the key can read the token', async () => {
      const key = randomUUID();
      const { companion_token } = (await create({}, key).expect(201)).body as Created;
      const rows = await world.database.query<{ text: string }>(
        `select encode(sealed_answer, 'escape') || key_hash || request_hash as text from idempotency_record`,
      );
      expect(rows.length).toBeGreaterThan(0);
      for (const secret of [companion_token, key]) expect(JSON.stringify(rows)).not.toContain(secret);
    });

    it('returns 201 with a new license when the stored response is older than a day', async () => {
      const key = randomUUID();
      const first = (await create({}, key).expect(201)).body as Created;
      await world.database.query(
        `update idempotency_record set created_at = created_at - interval '25 hours'`,
      );
      const second = (await create({}, key).expect(201)).body as Created;
      expect(second.id).not.toBe(first.id);
    });

    it.each(['short', 'x'.repeat(201), 'with space in it'])('returns 400 for the key %j', async (key) => {
      const { body } = await create({}, key).expect(400);
      expect(body).toMatchObject({ errors: [{ in: 'headers' }] });
    });
  });
});

describe('listLicenses', () => {
  it('returns 200 newest first, page by page', async () => {
    const word = uniqueWord();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.unshift((await created({ name: `${word} ${index}` })).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Schemas['LicensePage'] = await list(`q=${word}&limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids);
  });

  it('returns 200 with matches of q in name, subdomain, key or owner, case-insensitively', async () => {
    const word = uniqueWord();
    const byName = await created({ name: `Name ${word.toUpperCase()} here` });
    const bySubdomain = await created({ subdomain: `s-${word}` });
    const byOwner = await created({ owner_email: `${word}@example.com` });
    const ids = (await list(`q=${word}`)).data.map(({ id }) => id);
    expect(ids).toEqual([byOwner.id, bySubdomain.id, byName.id]);
    expect((await list(`q=${byName.key.toLowerCase()}`)).data.map(({ id }) => id)).toEqual([byName.id]);
  });

  it('returns 200 and treats %, _ and \\ in q as literal characters', async () => {
    const word = uniqueWord();
    const { id } = await created({ name: `${word}%_\\` });
    await created({ name: `${word}abc` });
    for (const text of [`${word}%`, `${word}%_`, `%_\\`]) {
      expect((await list(`q=${encodeURIComponent(text)}`)).data.map((license) => license.id)).toEqual([id]);
    }
  });

  it('returns 200 and matches an e-mail address in q literally', async () => {
    const owner_email = `${uniqueWord()}@example.com`;
    const { id } = await created({ owner_email });
    expect((await list(`q=${owner_email}`)).data.map((license) => license.id)).toEqual([id]);
  });

  it('returns 200 with those created in the range, from inclusive and to exclusive', async () => {
    const word = uniqueWord();
    const licenses = [
      await created({ name: word }),
      await created({ name: word }),
      await created({ name: word }),
    ];
    for (const [index, { id }] of licenses.entries()) {
      await world.database.query('update license set created_at = $2 where id = $1', [
        id,
        `2026-0${index + 1}-01T00:00:00Z`,
      ]);
    }
    const range = 'created_from=2026-01-01T00:00:00Z&created_to=2026-03-01T00:00:00Z';
    const ids = (await list(`q=${word}&${range}`)).data.map(({ id }) => id);
    expect(ids).toEqual([licenses[1]?.id, licenses[0]?.id]);
  });

  it('returns 200 with those in the given state', async () => {
    const word = uniqueWord();
    const [active, revoked] = [await created({ name: word }), await created({ name: word })];
    await setStatus(revoked.id, 'revoked').expect(200);
    expect((await list(`q=${word}&status=active`)).data.map(({ id }) => id)).toEqual([active.id]);
    expect((await list(`q=${word}&status=revoked`)).data.map(({ id }) => id)).toEqual([revoked.id]);
  });
});

describe('getLicense', () => {
  it('returns 200 with the same license as its creation', async () => {
    const { companion_token: _, ...license } = await created({ name: 'One', subdomain: uniqueWord() });
    expect((await get(license.id).expect(200)).body).toEqual(license);
  });

  it('returns 404 for an unknown license', async () => {
    expect((await get(someId).expect(404)).body).toMatchObject({ code: 'not_found' });
  });
});

describe('updateLicense', () => {
  it('returns 200 and revokes only once', async () => {
    const { id } = await created();
    const { body: first } = await setStatus(id, 'revoked').expect(200);
    expect(first).toMatchObject({ status: 'revoked', revoked_at: expect.any(String) });
    const { body: second } = await setStatus(id, 'revoked').expect(200);
    expect(second).toEqual(first);
    expect((await get(id)).body).toEqual(first);
  });

  it('returns 200 for each of ten concurrent requests', async () => {
    const { id } = await created();
    const responses = await Promise.all(Array.from({ length: 10 }, () => setStatus(id, 'revoked')));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(responses.map(({ body }) => (body as Schemas['License']).revoked_at)).size).toBe(1);
  });

  it('returns 200 and activates again with all stored data intact', async () => {
    const tenant = await world.createTenant();
    await world.call('post', '/api/fleet/clusters', tenant.owner).send({ name: 'EU' }).expect(201);
    await setStatus(tenant.license.id, 'revoked').expect(200);
    const { body } = await setStatus(tenant.license.id, 'active').expect(200);
    expect(body).toMatchObject({ status: 'active', revoked_at: null });
    const { body: clusters } = await world.call('get', '/api/fleet/clusters', tenant.owner).expect(200);
    expect(clusters).toMatchObject({ data: [{ name: 'EU' }] });
  });

  it('returns 404 for an unknown license', async () => {
    await setStatus(someId, 'revoked').expect(404);
  });

  it('returns 400 for an unknown state', async () => {
    const { id } = await created();
    const { body } = await setStatus(id, 'deleted').expect(400);
    expect(body).toMatchObject({ errors: [{ pointer: '/status' }] });
  });
});
