// Operations of the area `site-config`: what a license publishes.
import type { components } from '../../generated/platform.d.ts';
import { createInstance } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

const pathOf = (instanceId: string) => `/api/site-config/instances/${instanceId}`;

const change = (tenant: Tenant, path: string, body: object, version?: string) => {
  const call = world.call('patch', path, tenant.owner).send(body);
  return version === undefined ? call : call.set('If-Match', `"${version}"`);
};

describe('the license', () => {
  it('getSiteSettings: returns 200 and shows nothing by default', async () => {
    const tenant = await world.createTenant();
    const { body, headers } = await world.call('get', '/api/site-config', tenant.owner).expect(200);
    expect(body).toEqual({
      is_public: false,
      is_listed_by_default: false,
      status_page_description: null,
      version: 0,
    });
    expect(headers['etag']).toBe('"0"');
  });

  it('updateSiteSettings: returns 200 with the given changes and keeps the rest', async () => {
    const tenant = await world.createTenant();
    await change(tenant, '/api/site-config', { is_public: true, status_page_description: 'Islands' }).expect(
      200,
    );
    const { body, headers } = await change(tenant, '/api/site-config', { is_listed_by_default: true });
    expect(body).toEqual({
      is_public: true,
      is_listed_by_default: true,
      status_page_description: 'Islands',
      version: 2,
    });
    expect(headers['etag']).toBe('"2"');
    await change(tenant, '/api/site-config', { status_page_description: null }).expect(200);
    expect((await world.call('get', '/api/site-config', tenant.owner)).body).toMatchObject({
      is_public: true,
      status_page_description: null,
      version: 3,
    });
  });

  it('updateSiteSettings: returns 412 for an outdated version, the first one included', async () => {
    const tenant = await world.createTenant();
    const first = await Promise.all(
      ['One', 'Two', 'Three'].map((text) =>
        change(tenant, '/api/site-config', { status_page_description: text }, '0'),
      ),
    );
    expect(first.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const { body } = await change(tenant, '/api/site-config', { is_public: true }, '0').expect(412);
    expect(body).toMatchObject({ code: 'stale_version' });
    await change(tenant, '/api/site-config', { is_public: true }, '1').expect(200);
  });

  it('updateSiteSettings: returns 400 for an empty change and for unknown fields', async () => {
    const tenant = await world.createTenant();
    for (const body of [{}, { status_page_description: 'x'.repeat(1_001) }, { is_public: null }])
      await change(tenant, '/api/site-config', body).expect(400);
  });

  it('updateSiteSettings: returns 200 for lines of text, 400 for text with invisible or bidirectional characters', async () => {
    const tenant = await world.createTenant();
    const describing = (text: string) =>
      change(tenant, '/api/site-config', { status_page_description: text });
    await describing('Vanilla and modded islands.\r\n\nSince 2019.').expect(200);
    for (const text of ['now \u202edesrever', 'zero\u200bwidth', ' \n ', 'a\u0007'])
      await describing(text).expect(400);
  });

  it('updateSiteSettings: writes the audit log', async () => {
    const tenant = await world.createTenant();
    await change(tenant, '/api/site-config', { is_public: true }).expect(200);
    const { body } = await world.call('get', '/api/audit?target_type=site_config', tenant.owner).expect(200);
    expect((body as Schemas['AuditEntryPage']).data).toMatchObject([
      { operation: 'updateSiteSettings', action: 'created', target_id: tenant.license.id },
    ]);
  });
});

describe('its game instances', () => {
  it('listPublicListings: returns 200 with every instance, page by page, and whether it is shown', async () => {
    const tenant = await world.createTenant();
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) ids.push(await createInstance(world, tenant, { name }));
    await change(tenant, pathOf(ids[0] ?? ''), { is_listed: true }).expect(200);
    await change(tenant, pathOf(ids[1] ?? ''), { is_listed: false }).expect(200);
    const shown = async () => {
      const { body } = await world.call('get', '/api/site-config/instances', tenant.owner).expect(200);
      return (body as Schemas['PublicListingPage']).data.map(({ is_shown }) => is_shown);
    };
    expect(await shown()).toEqual([false, false, false]);
    await change(tenant, '/api/site-config', { is_public: true }).expect(200);
    expect(await shown()).toEqual([true, false, false]);
    await change(tenant, '/api/site-config', { is_listed_by_default: true }).expect(200);
    expect(await shown()).toEqual([true, false, true]);

    const first = await world.call('get', '/api/site-config/instances?limit=2', tenant.owner).expect(200);
    const { data, next_cursor: cursor } = first.body as Schemas['PublicListingPage'];
    expect(data.map(({ instance_name }) => instance_name)).toEqual(['one', 'two']);
    const second = await world.call(
      'get',
      `/api/site-config/instances?cursor=${String(cursor)}`,
      tenant.owner,
    );
    expect(second.body).toMatchObject({ data: [{ instance_name: 'three' }], next_cursor: null });
  });

  it('getPublicListing: returns 200 with defaults, 404 for an unknown instance', async () => {
    const tenant = await world.createTenant();
    const id = await createInstance(world, tenant, { name: 'main' });
    const { body, headers } = await world.call('get', pathOf(id), tenant.owner).expect(200);
    expect(body).toEqual({
      instance_id: id,
      instance_name: 'main',
      is_listed: null,
      is_shown: false,
      display_name: null,
      description: null,
      wipe_schedule: null,
      version: 0,
    });
    expect(headers['etag']).toBe('"0"');
    await world.call('get', pathOf(tenant.license.id), tenant.owner).expect(404);
  });

  it('updatePublicListing: returns 200 with the given changes; null resets a field', async () => {
    const tenant = await world.createTenant();
    const id = await createInstance(world, tenant);
    const schedule = { cron: '0 19 * * THU', time_zone: 'Europe/Berlin' };
    await change(tenant, pathOf(id), { display_name: 'Islands, 2x', wipe_schedule: schedule }).expect(200);
    const { body } = await change(tenant, pathOf(id), { description: 'No\ncheaters' }).expect(200);
    expect(body).toMatchObject({
      display_name: 'Islands, 2x',
      description: 'No\ncheaters',
      wipe_schedule: schedule,
      version: 2,
    });
    const after = await change(tenant, pathOf(id), { wipe_schedule: null, display_name: null }).expect(200);
    expect(after.body).toMatchObject({ display_name: null, wipe_schedule: null, version: 3 });
  });

  it('updatePublicListing: returns 400 for a schedule that never occurs, an unknown time zone and an invisible name', async () => {
    const tenant = await world.createTenant();
    const id = await createInstance(world, tenant);
    const cases = [
      [{ wipe_schedule: { cron: '0 0 30 2 *', time_zone: 'UTC' } }, '/wipe_schedule/cron'],
      [{ wipe_schedule: { cron: '0 0 * * *', time_zone: 'Mars/Olympus' } }, '/wipe_schedule/time_zone'],
      [{ display_name: 'two\nlines' }, '/display_name'],
    ] as const;
    for (const [changes, pointer] of cases) {
      const { body } = await change(tenant, pathOf(id), changes).expect(400);
      expect((body as Schemas['Problem']).errors).toMatchObject([{ in: 'body', pointer }]);
    }
  });

  it('updatePublicListing: returns 412 for an outdated version, 404 for an unknown instance', async () => {
    const tenant = await world.createTenant();
    const id = await createInstance(world, tenant);
    await change(tenant, pathOf(id), { is_listed: true }, '0').expect(200);
    await change(tenant, pathOf(id), { is_listed: false }, '0').expect(412);
    await change(tenant, pathOf(tenant.license.id), { is_listed: true }).expect(404);
  });

  it('updatePublicListing: the listing is deleted with its instance', async () => {
    const tenant = await world.createTenant();
    const id = await createInstance(world, tenant);
    await change(tenant, pathOf(id), { is_listed: true }).expect(200);
    await world.database.query('delete from game_instance where id = $1', [id]);
    expect(await world.database.query('select 1 from site_listing where instance_id = $1', [id])).toEqual([]);
  });
});
