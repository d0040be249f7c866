// Hosting companies provision licenses, suspend and resume them, and are billed for the days on which they
// were active.
import { randomUUID } from 'node:crypto';
import type { components } from '../../generated/platform.d.ts';
import { openSession, createAgentKey } from '../support/agent.ts';
import { createReseller, createResellerLicense, insertRow } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { signIn, World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

interface TestReseller {
  id: string;
  key: string;
}

let world: World;
let tenant: Tenant;
let reseller: TestReseller;
let outsider: TestReseller;

beforeAll(async () => {
  world = await World.create();
  [tenant, reseller, outsider] = await Promise.all([
    world.createTenant(),
    createReseller(world),
    createReseller(world),
  ]);
});

afterAll(async () => {
  await world.close();
});

let number = 0;

/** A server that has not been provisioned yet. */
function newServer(values: Partial<Schemas['ProvisionedServer']> = {}): Schemas['ProvisionedServer'] {
  number += 1;
  return {
    server_id: `srv-${number}`,
    hostname: `rust-${number}.example.net`,
    customer_email: `customer-${number}@example.com`,
    ...values,
  };
}

const as = (method: 'get' | 'post' | 'patch', path: string, { key }: TestReseller = reseller) =>
  world.call(method, `/api/host${path}`, { token: key });

async function provision(
  servers: Schemas['ProvisionedServer'][],
  {
    by = reseller,
    idempotencyKey,
    ...input
  }: { by?: TestReseller; idempotencyKey?: string; dry_run?: boolean } = {},
): Promise<Schemas['ProvisioningReport']> {
  const request = as('post', '/provision', by);
  if (idempotencyKey !== undefined) request.set('Idempotency-Key', idempotencyKey);
  const { body } = await request.send({ servers, ...input }).expect(200);
  return body as Schemas['ProvisioningReport'];
}

/** The license of a provisioned server. */
async function provisioned(server = newServer(), by = reseller): Promise<Schemas['ProvisionedLicense']> {
  const { results } = await provision([server], { by });
  const license = results[0]?.license;
  if (!license) throw new Error(`not provisioned: ${JSON.stringify(results)}`);
  return license;
}

const counts = async () =>
  (
    await world.database.query<Record<string, number>>(
      `select (select count(*)::int from license) as licenses, (select count(*)::int from user_account) as users,
         (select count(*)::int from reseller_license) as sold`,
    )
  )[0];

describe('POST /api/host/provision', () => {
  it('returns 200 with a license that works for the agent, the plugin and the customer', async () => {
    const server = newServer({ customer_email: 'Ada@Example.com' });
    const { results, ...sums } = await provision([server]);
    expect(sums).toEqual({ dry_run: false, created: 1, existing: 0, failed: 0 });
    expect(results).toEqual([
      {
        server_id: server.server_id,
        outcome: 'created',
        license: {
          reseller_license_id: expect.any(String),
          license_id: expect.any(String),
          status: 'active',
          license_key: expect.stringMatching(/^GNTRY(-[0-9A-Z]{5}){5}$/),
          companion_token: expect.stringMatching(/^gantry_companion_/),
          plugin_download_url: `${world.url}/api/plugin/download`,
          subdomain: expect.stringMatching(/^rust-\d+-[0-9a-z]{8}$/),
          panel_url: `${world.url}/api/docs`,
        },
        problem: null,
      },
    ]);
    const license = results[0]?.license;
    await openSession(world, license?.companion_token ?? '', 'main', createAgentKey().publicKey).expect(200);
    const events = world
      .call('post', '/api/plugin/player-events')
      .set('X-License-Key', license?.license_key ?? '');
    await events
      .send({
        events: [
          {
            instance: 'main',
            steam_id: '76561197960287930',
            display_name: 'Aster',
            event: 'join',
            occurred_at: new Date().toISOString(),
            event_id: randomUUID(),
          },
        ],
      })
      .expect(200);
    const mail = await world.mailTo('ada@example.com');
    const token = /gantry_password_[\w-]+/.exec(mail.text)?.[0];
    await world
      .call('post', '/auth/reset-password')
      .send({ token, password: 'moss-lantern-arcade-9' })
      .expect(204);
    const { body } = await world
      .call('post', '/auth/login')
      .send({ email: 'ada@example.com', password: 'moss-lantern-arcade-9' })
      .expect(200);
    const { body: own } = await world
      .call('get', '/api/license', { token: body.session.access_token })
      .expect(200);
    expect(own).toMatchObject({ id: license?.license_id, key: license?.license_key, name: server.hostname });
  });

  it('returns 200 for 500 servers, of customers with one and with many, all of them complete', async () => {
    const servers = Array.from({ length: 500 }, (_, index) =>
      newServer(index < 450 ? { customer_email: 'many@example.com' } : {}),
    );
    const { created, results } = await provision(servers);
    expect(created).toBe(500);
    expect(results.map(({ server_id }) => server_id)).toEqual(servers.map(({ server_id }) => server_id));
    const ids = results.map(({ license }) => license?.license_id);
    expect(new Set(ids).size).toBe(500);
    const rows = await world.database.query(
      `select (select count(*)::int from role where license_id = any($1)) as roles,
         (select count(*)::int from membership join role on role.id = role_id
          where membership.license_id = any($1) and role.name = 'Owner') as owners,
         (select count(*)::int from license_activity where license_id = any($1) and is_active) as active,
         (select count(distinct user_id)::int from membership where license_id = any($1)) as customers`,
      [ids],
    );
    expect(rows).toEqual([{ roles: 2_000, owners: 500, active: 500, customers: 51 }]);
    await world.mailTo('many@example.com');
    expect(await world.mailsTo('many@example.com')).toHaveLength(1);
  });

  it('returns 200: a customer with an account gets the license without a message, and sees it at once', async () => {
    const email = await world.createUser('customer');
    const member = await signIn(world.url, email);
    const license = await provisioned(newServer({ customer_email: email }));
    const { body } = await world.call('get', '/auth/me', member).expect(200);
    expect(JSON.stringify(body)).toContain(license.license_id);
    expect(await world.mailsTo(email)).toEqual([]);
  });

  it('returns 200: servers succeed or fail independently; a repeated one fails the second time', async () => {
    const [one, two] = [newServer(), newServer()];
    const { results, created, failed } = await provision([one, { ...two, server_id: one.server_id }, two]);
    expect([created, failed]).toEqual([2, 1]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'failed', 'created']);
    expect(results[1]).toMatchObject({ license: null, problem: { code: 'duplicate_server', status: 409 } });
  });

  it('returns 200: an existing server is returned again, unless its properties differ', async () => {
    const server = newServer();
    const license = await provisioned(server);
    const before = await counts();
    const again = await provision([server]);
    expect(again).toMatchObject({ created: 0, existing: 1, results: [{ outcome: 'existing', license }] });
    for (const other of [{ hostname: 'other.example.net' }, { customer_email: 'other@example.com' }]) {
      const { results } = await provision([{ ...server, ...other }]);
      expect(results).toMatchObject([
        { outcome: 'failed', license: null, problem: { code: 'server_id_taken', status: 409 } },
      ]);
    }
    expect(await counts()).toEqual(before);
  });

  it('returns 200: secrets are returned again for a day, and only while they are current', async () => {
    const [server, old] = [newServer(), newServer()];
    const { license_id } = await provisioned(server);
    await world.database.query(`update license set key = 'GNTRY-NEW' where id = $1`, [license_id]);
    const { reseller_license_id } = await provisioned(old);
    await world.database.query(
      `update reseller_license set created_at = now() - interval '25 hours' where id = $1`,
      [reseller_license_id],
    );
    const { results } = await provision([server, old]);
    expect(results).toMatchObject([
      { license: { license_key: null, companion_token: expect.any(String) } },
      { license: { license_key: null, companion_token: null } },
    ]);
    await world.database.query(`select graphile_worker.add_job('housekeeping', '{}'::json)`);
    await until(async () => {
      const [row] = await world.database.query(
        'select sealed_secrets is null as "isErased" from reseller_license where id = $1',
        [reseller_license_id],
      );
      return row?.['isErased'] === true;
    }, 'the secrets to be erased');
  });

  it('returns 200: the database stores no readable secret', async () => {
    const { companion_token } = await provisioned();
    const rows = await world.database.query('select sealed_secrets from reseller_license');
    expect(JSON.stringify(rows.map(({ sealed_secrets }) => String(sealed_secrets)))).not.toContain(
      companion_token,
    );
  });

  it('returns 200: the identical response for the same Idempotency-Key, and 422 for another request', async () => {
    const [server, idempotencyKey] = [newServer(), randomUUID()];
    const first = await provision([server], { idempotencyKey });
    expect(first.created).toBe(1);
    expect(await provision([server], { idempotencyKey })).toEqual(first);
    await as('post', '/provision')
      .set('Idempotency-Key', idempotencyKey)
      .send({ servers: [newServer()] })
      .expect(422);
  });

  it('returns 200: concurrent requests create each server once', async () => {
    const servers = Array.from({ length: 20 }, () => newServer());
    const responses = await Promise.all(Array.from({ length: 5 }, () => provision(servers)));
    const ids = responses.map(({ results }) => results.map(({ license }) => license?.license_id));
    expect(responses.map(({ created }) => created).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 20]);
    expect(new Set(ids.map((list) => list.join())).size).toBe(1);
  });

  it('returns 200: a dry run reports the outcome and creates nothing', async () => {
    const [known, other] = [newServer(), newServer()];
    await provisioned(known);
    const before = await counts();
    const { results } = await provision([known, other, other], { dry_run: true });
    expect(results).toMatchObject([
      { outcome: 'existing', license: { license_key: null, companion_token: null } },
      { outcome: 'created', license: null, problem: null },
      { outcome: 'failed', problem: { code: 'duplicate_server' } },
    ]);
    expect(await counts()).toEqual(before);
  });

  it('returns 200: servers beyond 10,000 licenses fail individually', async () => {
    const full = await createReseller(world);
    await world.database.query(
      `with made as (
         insert into license (key, name, subdomain, companion_token_hash)
         select 'full-' || n, 'full', 'full-' || n, 'full-' || n from generate_series(1, 9999) n returning id
       )
       insert into reseller_license (license_id, reseller_id, server_id, hostname, customer_email)
       select id, $1, id::text, 'full', 'full@example.com' from made`,
      [full.id],
    );
    const { results } = await provision([newServer(), newServer()], { by: full });
    expect(results).toMatchObject([{ outcome: 'created' }, { problem: { code: 'limit_reached' } }]);
  });

  it('returns 200: invalid customer input fails its server alone, with an explanation', async () => {
    const wrong: [Partial<Schemas['ProvisionedServer']>, string][] = [
      [{ customer_email: 'no-address' }, 'customer_email must be an e-mail address.'],
      [{ customer_email: `${'a'.repeat(250)}@example.com` }, 'customer_email must be an e-mail address.'],
      [{ hostname: 'a b' }, 'hostname must have 1 to 100 letters'],
      [{ hostname: '' }, 'hostname must have 1 to 100 letters'],
      [{ hostname: 'a'.repeat(101) }, 'hostname must have 1 to 100 letters'],
      [{ server_id: 'a b' }, 'server_id must have 1 to 100 printable characters'],
      [{ server_id: '' }, 'server_id must have 1 to 100 printable characters'],
      [{ hostname: '-', customer_email: '' }, 'at both ends; customer_email must be'],
    ];
    const good = [newServer(), newServer()];
    for (const dry_run of [true, false]) {
      const { results, ...sums } = await provision(
        [...good.slice(0, 1), ...wrong.map(([values]) => newServer(values)), ...good.slice(1)],
        { dry_run },
      );
      expect(sums).toEqual({ dry_run, created: 2, existing: 0, failed: wrong.length });
      expect(results.slice(1, -1)).toEqual(
        wrong.map(([, detail]) => ({
          server_id: expect.any(String),
          outcome: 'failed',
          license: null,
          problem: {
            code: 'invalid_server',
            title: 'The server entry is invalid',
            status: 400,
            detail: expect.stringContaining(detail),
          },
        })),
      );
    }
    const again = await provision([
      { ...newServer(), server_id: good[0]?.server_id ?? '', hostname: ' ' },
      ...good,
    ]);
    expect(again.results.map(({ outcome }) => outcome)).toEqual(['failed', 'existing', 'existing']);
  });

  it('returns 400 with a pointer for malformed requests, and creates nothing', async () => {
    const before = await counts();
    const wrong: [object, string][] = [
      [{ ...newServer(), customer_email: 7 }, '/servers/1/customer_email'],
      [{ ...newServer(), hostname: null }, '/servers/1/hostname'],
      [{ ...newServer(), server_id: 'a'.repeat(1_001) }, '/servers/1/server_id'],
      [{ ...newServer(), price: '0.00' }, '/servers/1/price'],
      [{ server_id: 'a', hostname: 'a' }, '/servers/1/customer_email'],
    ];
    for (const [server, pointer] of wrong) {
      const { body } = await as('post', '/provision')
        .send({ servers: [newServer(), server] })
        .expect(400);
      expect(body.errors).toMatchObject([{ in: 'body', pointer }]);
    }
    for (const servers of [[], Array.from({ length: 501 }, () => newServer())])
      await as('post', '/provision').send({ servers }).expect(400);
    expect(await counts()).toEqual(before);
  });
});

describe('GET /api/host/licenses', () => {
  it('returns 200 with the reseller’s own licenses, newest first, page by page, with every filter', async () => {
    const own = await createReseller(world);
    const servers = Array.from({ length: 5 }, () => newServer());
    await provision(servers, { by: own });
    const list = async (query: object) =>
      (await as('get', '/licenses', own).query(query).expect(200)).body as Schemas['ResellerLicensePage'];
    const idsOf = ({ data }: Schemas['ResellerLicensePage']) => data.map(({ server_id }) => server_id);
    const all = idsOf(await list({}));
    expect(all.toSorted()).toEqual(servers.map(({ server_id }) => server_id).toSorted());
    const first = await list({ limit: 3 });
    const second = await list({ limit: 3, cursor: first.next_cursor });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(all);
    const [server] = servers;
    expect(idsOf(await list({ server_id: server?.server_id }))).toEqual([server?.server_id]);
    expect(idsOf(await list({ q: server?.customer_email.toUpperCase() }))).toEqual([server?.server_id]);
    expect(idsOf(await list({ created_to: '2020-01-01T00:00:00Z' }))).toEqual([]);
    const [newest] = (await list({})).data;
    await as('patch', `/licenses/${newest?.id}`, own).send({ status: 'suspended' }).expect(200);
    expect(idsOf(await list({ status: 'suspended' }))).toEqual([newest?.server_id]);
    expect(idsOf(await list({ status: 'active' }))).toEqual(all.slice(1));
  });
});

describe('PATCH /api/host/licenses/{reseller_license_id}', () => {
  const set = (id: string, status: string) => as('patch', `/licenses/${id}`).send({ status });
  const setByAdmin = (id: string, status: string) =>
    world.call('patch', `/api/admin/licenses/${id}`, world.admin).send({ status }).expect(200);

  it('returns 200: suspending blocks all access, resuming restores it, and repeating changes nothing', async () => {
    const email = await world.createUser('customer');
    const { reseller_license_id: id, companion_token } = await provisioned(
      newServer({ customer_email: email }),
    );
    const owner = await signIn(world.url, email);
    const fleet = () => world.call('get', '/api/fleet/hosts', owner);
    await fleet().expect(200);
    for (const attempt of [1, 2]) {
      const { body } = await set(id, 'suspended').expect(200);
      expect([attempt, body.status]).toEqual([attempt, 'suspended']);
    }
    await until(async () => (await fleet()).status === 403, 'the owner to be blocked');
    await openSession(world, companion_token ?? '', 'main', createAgentKey().publicKey).expect(403);
    await set(id, 'active').expect(200);
    await until(async () => (await fleet()).status === 200, 'the owner to have access');
    const changes = await world.database.query<{ is_active: boolean }>(
      `select is_active from license_activity join reseller_license using (license_id)
       where reseller_license.id = $1 order by changed_at, license_activity.id`,
      [id],
    );
    expect(changes.map(({ is_active }) => is_active)).toEqual([true, false, true]);
  });

  it('returns 409: a reseller cannot resume a license the platform revoked, even if the reseller suspended it first', async () => {
    const { reseller_license_id: id, license_id } = await provisioned();
    await set(id, 'suspended').expect(200);
    await setByAdmin(license_id, 'revoked');
    expect((await set(id, 'active').expect(409)).body.code).toBe('revoked_by_platform');
    expect((await set(id, 'suspended').expect(200)).body.status).toBe('revoked');
    await setByAdmin(license_id, 'active');
    expect((await as('get', `/licenses/${id}`).expect(200)).body.status).toBe('suspended');
    expect((await set(id, 'active').expect(200)).body.status).toBe('active');
  });

  it('returns 200: a suspension during a revocation takes effect once the revocation ends', async () => {
    const { reseller_license_id: id, license_id } = await provisioned();
    await setByAdmin(license_id, 'revoked');
    expect((await set(id, 'suspended').expect(200)).body.status).toBe('revoked');
    await setByAdmin(license_id, 'active');
    expect((await as('get', `/licenses/${id}`).expect(200)).body.status).toBe('suspended');
  });
});

describe('another reseller', () => {
  it('returns 404 for a license of another reseller, which is unchanged', async () => {
    const server = newServer();
    const { reseller_license_id: id, license_id } = await provisioned(server);
    const marks = () =>
      world.database.query(
        `select license.xmin::text, reseller_license.xmin::text as sold from license
         join reseller_license on license_id = license.id where license.id = $1`,
        [license_id],
      );
    const before = await marks();
    await as('get', `/licenses/${id}`, outsider).expect(404);
    await as('patch', `/licenses/${id}`, outsider).send({ status: 'suspended' }).expect(404);
    expect(await marks()).toEqual(before);
    for (const path of ['/licenses', `/billing/${new Date().toISOString().slice(0, 7)}`]) {
      const { text } = await as('get', path, outsider).expect(200);
      expect(text).not.toContain(license_id);
    }
  });

  it('returns 200: may provision a server of the same name, with its own license', async () => {
    const server = newServer();
    const one = await provisioned(server);
    const other = await provisioned(server, outsider);
    expect(other.license_id).not.toBe(one.license_id);
  });
});

/** A license that was alternately active and inactive at these times, and ends in the last state. */
async function soldWith(
  by: TestReseller,
  times: string[],
  values: Record<string, unknown> = {},
): Promise<string> {
  const name = randomUUID();
  const licenseId = await insertRow(world, 'license', {
    key: name,
    name,
    subdomain: name,
    companion_token_hash: name,
  });
  const id = await createResellerLicense(world, tenant, {
    reseller_id: by.id,
    license_id: licenseId,
    ...values,
  });
  for (const [index, time] of times.entries()) {
    await world.database.query(
      'insert into license_activity (license_id, is_active, changed_at) values ($1, $2, $3)',
      [licenseId, index % 2 === 0, time],
    );
  }
  return id;
}

const billOf = async (by: TestReseller, month: string): Promise<Schemas['ResellerBill']> =>
  (await as('get', `/billing/${month}`, by).expect(200)).body as Schemas['ResellerBill'];

/** Has the month's bills recorded, as the schedule does. */
const recordBills = () =>
  world.database.query(`select graphile_worker.add_job('record-reseller-bills', '{}'::json)`);

describe('GET /api/host/billing/{month}', () => {
  it('returns 200: each day with any active time costs a share of the rate; the total is the sum', async () => {
    const own = await createReseller(world);
    await soldWith(own, ['2026-10-21T10:00:00Z', '2026-11-05T00:00:00Z']);
    await soldWith(own, [
      '2026-01-01T00:00:00Z',
      '2026-10-02T00:00:00Z',
      '2026-10-02T23:59:59.999Z',
      '2026-10-04T00:00:00Z',
    ]);
    await soldWith(own, ['2026-01-01T00:00:00Z', '2026-10-01T00:00:00Z']);
    await soldWith(own, ['2026-11-01T00:00:00Z']);
    await soldWith(own, ['2026-09-30T23:59:59.999Z']);
    const { lines, ...bill } = await billOf(own, '2026-10');
    expect(lines.map(({ active_days, amount }) => [active_days, amount.amount])).toEqual([
      [11, '2.13'],
      [3, '0.58'],
      [31, '6.00'],
    ]);
    expect(lines[0]?.active).toEqual([{ from: '2026-10-21T10:00:00.000Z', to: '2026-11-01T00:00:00.000Z' }]);
    expect(bill).toEqual({
      month: '2026-10',
      is_provisional: true,
      recorded_at: null,
      wholesale_rate: { amount: '6.00', currency: 'USD' },
      days_in_month: 31,
      billing_unit: 'license',
      license_count: 3,
      active_days: 45,
      instance_count: 0,
      instance_days: 0,
      charged_days: 45,
      total: { amount: '8.71', currency: 'USD' },
    });
  });

  it('returns 200: a past month is recorded once, by any number of replicas and runs, and does not change', async () => {
    const own = await createReseller(world, { created_at: '2026-08-15T00:00:00Z' });
    const id = await soldWith(own, ['2026-09-10T12:00:00Z']);
    await world.addReplica();
    await Promise.all(Array.from({ length: 6 }, recordBills));
    const recorded = () =>
      world.database.query<{ month: string; total: number }>(
        'select month, total::int from reseller_bill where reseller_id = $1 order by month',
        [own.id],
      );
    const over = new Date();
    const last = new Date(Date.UTC(over.getUTCFullYear(), over.getUTCMonth() - 1)).toISOString().slice(0, 7);
    await until(async () => (await recorded()).at(-1)?.month === last, 'the bills');
    await recordBills();
    expect((await recorded()).slice(0, 3)).toEqual([
      { month: '2026-08', total: 0 },
      { month: '2026-09', total: 420 },
      { month: '2026-10', total: 600 },
    ]);
    const bill = await billOf(own, '2026-09');
    expect(bill).toMatchObject({
      is_provisional: false,
      recorded_at: expect.any(String),
      total: { amount: '4.20' },
    });
    await as('patch', `/licenses/${id}`, own).send({ status: 'suspended' }).expect(200);
    expect(await billOf(own, '2026-09')).toEqual(bill);
  });

  it('returns 200: a month has the rate that applied when it began', async () => {
    const own = await createReseller(world);
    await soldWith(own, ['2026-01-01T00:00:00Z']);
    for (const [from_month, amount] of [
      ['2026-05', 500],
      ['2026-07', 450],
    ])
      await insertRow(world, 'reseller_rate', {
        reseller_id: own.id,
        from_month,
        amount,
        currency: 'USD',
        unit: 'license',
      });
    const totals = await Promise.all(
      ['2026-04', '2026-05', '2026-06', '2026-07'].map(
        async (month) => (await billOf(own, month)).total.amount,
      ),
    );
    expect(totals).toEqual(['6.00', '5.00', '5.00', '4.50']);
  });

  it('returns 200: a month before the reseller existed is final and empty', async () => {
    expect(await billOf(await createReseller(world), '2025-01')).toMatchObject({
      is_provisional: false,
      recorded_at: null,
      total: { amount: '0.00' },
      lines: [],
    });
  });

  it('returns 200: the current month is provisional and includes today', async () => {
    const own = await createReseller(world);
    const { reseller_license_id: id } = await provisioned(newServer(), own);
    const month = new Date().toISOString().slice(0, 7);
    const before = await billOf(own, month);
    expect(before).toMatchObject({ is_provisional: true, recorded_at: null, license_count: 1 });
    expect(before.lines).toMatchObject([{ active_days: 1, active: [{ to: null }] }]);
    await as('patch', `/licenses/${id}`, own).send({ status: 'suspended' }).expect(200);
    const after = await billOf(own, month);
    expect(after.lines).toMatchObject([{ active_days: 1, active: [{ to: expect.any(String) }] }]);
    expect(after.total).toEqual(before.total);
  });

  it('returns 200 as CSV with formulas as text', async () => {
    const own = await createReseller(world);
    const values = { server_id: '=1+1', hostname: 'rust.example.net', customer_email: '+ada@example.com' };
    await soldWith(own, ['2026-10-21T10:00:00Z'], values);
    const { text, headers } = await as('get', '/billing/2026-10?format=csv', own).expect(200);
    expect(headers['content-type']).toMatch(/^text\/csv/);
    expect(text).toMatch(
      /^month,is_provisional,server_id,.*\n2026-10,(true|false),'=1\+1,rust\.example\.net,'\+ada@example\.com,[0-9a-f-]{36},[0-9a-f-]{36},2026-10-21T10:00:00\.000Z\/2026-11-01T00:00:00\.000Z,11,31,6\.00,2\.13,USD,0,0,11,license\n$/,
    );
  });

  it('returns 400 for an invalid month and for a future one', async () => {
    for (const month of ['2026-13', '2026-00', '2026-1', '26-01', '2026-10-01', 'x']) {
      const { body } = await as('get', `/billing/${month}`).expect(400);
      expect(body.errors).toMatchObject([{ in: 'path', pointer: '/month' }]);
    }
    const now = new Date();
    const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString().slice(0, 7);
    const { body } = await as('get', `/billing/${next}`).expect(400);
    expect(body.errors).toEqual([{ in: 'path', pointer: '/month', detail: 'must not be in the future' }]);
  });

  it('returns 200: the cost of a deleted license stays on the bill, and its server can be provisioned again', async () => {
    const own = await createReseller(world);
    const server = newServer();
    const { license_id, reseller_license_id } = await provisioned(server, own);
    const month = new Date().toISOString().slice(0, 7);
    const before = await billOf(own, month);
    await world.database.query('delete from license where id = $1', [license_id]);
    const after = await billOf(own, month);
    expect(after.total).toEqual(before.total);
    expect(after.lines).toMatchObject([
      { reseller_license_id, license_id, active_days: 1, active: [{ to: expect.any(String) }] },
    ]);
    const again = await provisioned(server, own);
    expect(again.license_id).not.toBe(license_id);
    expect((await billOf(own, month)).license_count).toBe(2);
  });

  /** An instance of a provisioned license, which ran at these times. */
  async function ranIn(licenseId: string, runs: [from: string, to: string | null][]): Promise<string> {
    const host = await insertRow(world, 'agent_host', {
      license_id: licenseId,
      hostname: randomUUID(),
      platform: 'test',
      agent_version: '0',
      bus_public_key: `U${randomUUID()}`,
    });
    const id = await insertRow(world, 'game_instance', {
      license_id: licenseId,
      host_id: host,
      name: randomUUID(),
    });
    await world.database.query('delete from instance_state_interval where instance_id = $1', [id]);
    for (const [from, to] of runs)
      await world.database.query(
        `insert into instance_state_interval (license_id, instance_id, from_at, to_at, state)
         values ($1, $2, $3, $4, 'running')`,
        [licenseId, id, from, to],
      );
    return id;
  }

  const licenseOf = async (id: string): Promise<string> => {
    const [row] = await world.database.query<{ license_id: string }>(
      'select license_id from reseller_license where id = $1',
      [id],
    );
    return row?.license_id ?? '';
  };

  const chargeInstances = (by: TestReseller) =>
    insertRow(world, 'reseller_rate', {
      reseller_id: by.id,
      from_month: '2026-01',
      amount: 600,
      currency: 'USD',
      unit: 'instance',
    });

  it('returns 200 by the instance: each day on which one ran while its license was active, and one at least', async () => {
    const own = await createReseller(world);
    await chargeInstances(own);
    const id = await soldWith(own, ['2026-09-21T10:00:00Z', '2026-09-29T12:00:00Z']);
    const licenseId = await licenseOf(id);
    await ranIn(licenseId, [
      ['2026-09-22T01:00:00Z', '2026-09-22T02:00:00Z'],
      ['2026-09-22T23:00:00Z', '2026-09-23T00:00:00Z'],
      ['2026-09-25T10:00:00Z', null],
    ]);
    await ranIn(licenseId, [['2026-09-22T05:00:00Z', '2026-09-24T00:00:00.001Z']]);
    await ranIn(licenseId, [['2026-09-01T00:00:00Z', '2026-09-21T10:00:00Z']]);
    await ranIn(licenseId, []);
    const { lines, ...bill } = await billOf(own, '2026-09');
    // 21: none ran; 22: two; 23 and 24: one each; 25 to 29: one each.
    expect(lines).toMatchObject([
      {
        active_days: 9,
        instance_count: 2,
        instance_days: 9,
        charged_days: 10,
        amount: { amount: '2.00', currency: 'USD' },
      },
    ]);
    expect(bill).toMatchObject({
      billing_unit: 'instance',
      active_days: 9,
      instance_count: 2,
      instance_days: 9,
      charged_days: 10,
      total: { amount: '2.00' },
    });
    const byLicense = await createReseller(world);
    await world.database.query('update reseller_license set reseller_id = $1 where id = $2', [
      byLicense.id,
      id,
    ]);
    expect(await billOf(byLicense, '2026-09')).toMatchObject({
      billing_unit: 'license',
      instance_days: 9,
      charged_days: 9,
      total: { amount: '1.80' },
    });
  });

  it('returns 200: recorded running time stays on the bill when its game server, and then its license, is deleted', async () => {
    const own = await createReseller(world);
    await chargeInstances(own);
    const id = await soldWith(own, ['2026-09-01T00:00:00Z']);
    const licenseId = await licenseOf(id);
    const instances = [
      await ranIn(licenseId, [['2026-09-03T00:00:00Z', null]]),
      await ranIn(licenseId, [['2026-09-03T00:00:00Z', '2026-09-13T00:00:00Z']]),
    ];
    const before = await billOf(own, '2026-09');
    expect(before.charged_days).toBe(40);
    await world.database.query('delete from game_instance where id = $1', [instances[1]]);
    expect(await billOf(own, '2026-09')).toEqual(before);
    await world.database.query('delete from license where id = $1', [licenseId]);
    expect(await billOf(own, '2026-09')).toEqual(before);
  });

  it('returns 200: a recorded bill keeps its lines despite later reports, and older ones have no instances', async () => {
    const own = await createReseller(world, { created_at: '2026-08-15T00:00:00Z' });
    await chargeInstances(own);
    const licenseId = await licenseOf(await soldWith(own, ['2026-08-15T00:00:00Z']));
    await ranIn(licenseId, [['2026-09-03T00:00:00Z', null]]);
    await insertRow(world, 'reseller_bill', {
      reseller_id: own.id,
      month: '2026-08',
      unit: 'license',
      license_count: 1,
      active_days: 17,
      total: 329,
      currency: 'USD',
    });
    await recordBills();
    const recorded = () =>
      world.database.query(`select from reseller_bill where reseller_id = $1 and month = '2026-10'`, [
        own.id,
      ]);
    await until(async () => (await recorded()).length === 1, 'the bills');
    const before = await billOf(own, '2026-09');
    expect(before).toMatchObject({ is_provisional: false, instance_count: 1, total: { amount: '6.00' } });
    await ranIn(licenseId, [['2026-09-03T00:00:00Z', '2026-11-01T00:00:00Z']]);
    await world.database.query('delete from instance_state_interval where license_id = $1', [licenseId]);
    expect(await billOf(own, '2026-09')).toEqual(before);
    expect(await billOf(own, '2026-08')).toMatchObject({
      billing_unit: 'license',
      instance_count: null,
      instance_days: null,
      charged_days: 17,
      total: { amount: '3.29' },
    });
  });

  it('another unit applies from the next month on, with the rate unchanged', async () => {
    const own = await createReseller(world);
    const { body } = await world
      .call('patch', `/api/admin/resellers/${own.id}`, world.admin)
      .send({ billing_unit: 'instance' })
      .expect(200);
    expect(body).toMatchObject({
      billing_unit: 'license',
      next_billing_unit: 'instance',
      next_wholesale_rate: { amount: '6.00', currency: 'USD' },
    });
    const { body: again } = await world
      .call('patch', `/api/admin/resellers/${own.id}`, world.admin)
      .send({ wholesale_rate: { amount: '7.00', currency: 'EUR' } })
      .expect(200);
    expect(again).toMatchObject({
      next_billing_unit: 'instance',
      next_wholesale_rate: { amount: '7.00', currency: 'EUR' },
    });
  });

  it('the record of active periods is never changed', async () => {
    await provisioned();
    for (const sql of [
      'update license_activity set is_active = true',
      'delete from license_activity',
      'truncate license_activity',
      'delete from reseller_bill_line',
      'update reseller_bill set total = 0',
      'update reseller_rate set amount = 0',
    ])
      await expect(world.database.query(sql)).rejects.toThrow('never changed');
  });
});
