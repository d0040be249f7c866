// Operations of super admins on hosting companies that sell licenses: accounts, rates and bills.
import { hashSecret } from '../../src/secrets/random-secrets.ts';
import { createReseller, createResellerLicense, insertRow } from '../support/rows.ts';
import { World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

const path = '/api/admin/resellers';

const create = (input: object) => world.call('post', path, world.admin).send(input);

const licensesOf = (key: string) => world.call('get', '/api/host/licenses', { token: key });

describe('POST /api/admin/resellers', () => {
  it('returns 201 with a key that is shown once and stored as a hash', async () => {
    const { body } = await create({ name: 'Ember Hosting' }).expect(201);
    expect(body).toMatchObject({
      name: 'Ember Hosting',
      status: 'active',
      wholesale_rate: { amount: '6.00', currency: 'USD' },
      next_wholesale_rate: { amount: '6.00', currency: 'USD' },
      billing_unit: 'instance',
      next_billing_unit: 'instance',
      license_count: 0,
      key: expect.stringMatching(/^gantry_host_[a-z2-7]{16}_[a-z2-7]{52}$/),
    });
    const rows = await world.database.query('select key_identifier, key_hash from reseller where id = $1', [
      body.id,
    ]);
    expect(rows).toEqual([{ key_identifier: body.key.split('_')[2], key_hash: hashSecret(body.key) }]);
    const { body: again } = await world.call('get', `${path}/${body.id}`, world.admin).expect(200);
    expect(JSON.stringify(again)).not.toContain(body.key);
    await licensesOf(body.key).expect(200, { data: [], next_cursor: null });
  });

  it('returns 201 with its own rate, exact to the cent', async () => {
    for (const amount of ['0.00', '0.07', '5.50', '999999.99']) {
      const { body } = await create({ name: `At ${amount}`, wholesale_rate: { amount, currency: 'EUR' } });
      expect(body.wholesale_rate).toEqual({ amount, currency: 'EUR' });
    }
  });

  it('returns 400 for an invalid rate', async () => {
    for (const amount of ['-1.00', '1', '1.5', '1.234', 'x', '1e3', '10000000.00', '']) {
      const { body } = await create({ name: 'Wrong', wholesale_rate: { amount, currency: 'USD' } }).expect(
        400,
      );
      expect(body.errors).toMatchObject([{ pointer: '/wholesale_rate/amount' }]);
    }
  });

  it('returns 409 for a taken name', async () => {
    await create({ name: 'Taken' }).expect(201);
    const { body } = await create({ name: 'Taken' }).expect(409);
    expect(body.code).toBe('name_taken');
  });
});

describe('PATCH /api/admin/resellers/{reseller_id}', () => {
  it('returns 200: a new rate applies from the next month, and the last one set wins', async () => {
    const { body: made } = await create({ name: 'Cheaper soon' }).expect(201);
    for (const amount of ['5.00', '4.50']) {
      const { body } = await world
        .call('patch', `${path}/${made.id}`, world.admin)
        .send({ wholesale_rate: { amount, currency: 'USD' } })
        .expect(200);
      expect(body).toMatchObject({
        wholesale_rate: { amount: '6.00' },
        next_wholesale_rate: { amount },
      });
    }
    await expect(
      world.database.query('update reseller_rate set amount = 1 where reseller_id = $1', [made.id]),
    ).rejects.toThrow('never changed');
  });

  it('returns 200: the key of a disabled reseller is rejected and works again once the reseller is active', async () => {
    const { body: made } = await create({ name: 'On and off' }).expect(201);
    const set = (status: string) =>
      world.call('patch', `${path}/${made.id}`, world.admin).send({ status }).expect(200);
    await set('disabled');
    await licensesOf(made.key).expect(401);
    await set('active');
    await licensesOf(made.key).expect(200);
  });

  it('returns 409 for a taken name and 404 for an unknown reseller', async () => {
    await create({ name: 'First' }).expect(201);
    const { body: second } = await create({ name: 'Second' }).expect(201);
    const rename = (id: string) => world.call('patch', `${path}/${id}`, world.admin).send({ name: 'First' });
    expect((await rename(second.id).expect(409)).body.code).toBe('name_taken');
    await rename('0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6fff').expect(404);
  });
});

it('POST …/rotate-key returns 200 with a new key; the previous one is rejected at once', async () => {
  const { body: made } = await create({ name: 'Careful' }).expect(201);
  const { body } = await world.call('post', `${path}/${made.id}/rotate-key`, world.admin).expect(200);
  await licensesOf(made.key).expect(401);
  await licensesOf(body.key).expect(200);
});

it('GET returns 200 filtered by state and name, newest first', async () => {
  await create({ name: 'Moss one' }).expect(201);
  const { body: two } = await create({ name: 'Moss two' }).expect(201);
  const list = async (query: object) =>
    (await world.call('get', path, world.admin).query(query).expect(200)).body.data.map(
      ({ name }: { name: string }) => name,
    );
  expect(await list({ q: 'moss' })).toEqual(['Moss two', 'Moss one']);
  await world.call('patch', `${path}/${two.id}`, world.admin).send({ status: 'disabled' }).expect(200);
  expect(await list({ q: 'moss', status: 'active' })).toEqual(['Moss one']);
});

it('the audit log records what super admins change, but never the key', async () => {
  const { body: made } = await create({ name: 'Audited' }).expect(201);
  const entries = await world.database.query<{ after: object }>(
    `select after from audit_entry where target_type = 'reseller' and target_id = $1`,
    [made.id],
  );
  expect(entries).toMatchObject([{ after: { name: 'Audited', key_hash: '[secret]' } }]);
});

describe('bills of resellers', () => {
  const bills = '/api/admin/reseller-bills';

  const recorded = (resellerId: string, month: string, total: number) =>
    world.database.query(
      `insert into reseller_bill (reseller_id, month, unit, license_count, active_days, total, currency)
       values ($1, $2, 'license', 2, 40, $3, 'USD')`,
      [resellerId, month, total],
    );

  it('returns 200 with the recorded bills by reseller and month, page by page, and as CSV', async () => {
    const [one, other] = [await createReseller(world, { name: '=One' }), await createReseller(world)];
    await recorded(one.id, '2026-01', 1_200);
    await recorded(one.id, '2026-02', 99_999_999_999);
    await recorded(other.id, '2026-02', 1);
    const { body } = await world.call('get', `${bills}?reseller_id=${one.id}`, world.admin).expect(200);
    expect(body).toEqual({
      data: [
        expect.objectContaining({ month: '2026-02', total: { amount: '999999999.99', currency: 'USD' } }),
        {
          month: '2026-01',
          reseller_id: one.id,
          reseller_name: '=One',
          license_count: 2,
          active_days: 40,
          instance_count: null,
          instance_days: null,
          charged_days: 40,
          billing_unit: 'license',
          total: { amount: '12.00', currency: 'USD' },
          recorded_at: expect.stringMatching(/Z$/),
        },
      ],
      next_cursor: null,
    });
    const { body: february } = await world
      .call('get', `${bills}?month=2026-02&limit=1`, world.admin)
      .expect(200);
    expect(february.data).toMatchObject([{ reseller_id: other.id }]);
    const { body: rest } = await world
      .call('get', `${bills}?month=2026-02&cursor=${february.next_cursor}`, world.admin)
      .expect(200);
    expect(rest).toMatchObject({ data: [{ reseller_id: one.id }], next_cursor: null });
    const { text, headers } = await world
      .call('get', `${bills}?reseller_id=${one.id}&format=csv`, world.admin)
      .expect(200);
    expect(headers['content-type']).toMatch(/^text\/csv/);
    expect(text).toMatch(
      /^month,reseller_id,reseller_name,license_count,active_days,.*\n2026-02,.*\n2026-01,[0-9a-f-]{36},'=One,2,40,,,40,license,12\.00,USD,/,
    );
  });

  it('returns 200 with one bill exactly as the reseller sees it, and 404 for an unknown reseller', async () => {
    const reseller = await createReseller(world);
    const tenant = await world.createTenant();
    await createResellerLicense(world, tenant, { reseller_id: reseller.id });
    await insertRow(world, 'license_activity', {
      license_id: tenant.license.id,
      is_active: true,
      changed_at: '2026-10-21T10:00:00Z',
    });
    for (const format of ['json', 'csv']) {
      const { text: own } = await world
        .call('get', `/api/host/billing/2026-10?format=${format}`, { token: reseller.key })
        .expect(200);
      const { text } = await world
        .call('get', `${path}/${reseller.id}/bills/2026-10?format=${format}`, world.admin)
        .expect(200);
      expect(text).toBe(own);
    }
    await world
      .call('get', `${path}/01a1ff15-c68a-7c40-af6c-08a7e08f3caf/bills/2026-10`, world.admin)
      .expect(404);
    await world.call('get', `${path}/${reseller.id}/bills/2099-10`, world.admin).expect(400);
  });

  it('returns 403 for every other role', async () => {
    const { owner } = await world.createTenant();
    const reseller = await createReseller(world);
    for (const url of [bills, `${path}/${reseller.id}/bills/2026-10`])
      await world.call('get', url, owner).expect(403);
  });
});
