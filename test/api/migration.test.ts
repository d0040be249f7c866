// Operations of the area `migration`: the configuration of a license, exported and imported into another.
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { contract, operations, someId } from '../support/contract.ts';
import { kindOf } from '../support/plugin-kinds.ts';
import {
  checksumOf,
  countsOf,
  createMigrationFleet,
  documentOf,
  expectRoundTrip,
  exported,
  exportText,
  imported,
  migratedState,
  part,
  sendImport,
  type Document,
  type Parts,
} from '../support/migration.ts';
import {
  createCluster,
  createInstance,
  createRole,
  createSchedule,
  insertRow,
  createRows,
  rowsByName,
} from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

const said = ({ status, body }: Response) => ({ status, code: (body as { code?: string }).code });
const pointersOf = ({ body }: Response) =>
  ((body as Schemas['Problem']).errors ?? []).map(({ pointer }) => pointer);

const createFleet = () => createMigrationFleet(world);
const stateOf = (tenant: Tenant) => migratedState(world, tenant);

const schedule = (values: Partial<Schemas['MigrationSchedule']> = {}): Schemas['MigrationSchedule'] => ({
  host: 'h1',
  instance: 'a',
  name: 'Nightly',
  occurrence: 1,
  action: { kind: 'restart' },
  cron: '30 4 * * *',
  time_zone: 'Europe/Berlin',
  missed_runs: 'skip',
  is_enabled: true,
  ...values,
});

const rules: Schemas['AlertRules'] = {
  agent_outdated: { is_enabled: true, severity: 'Info', minimum_version: '0.1.0' },
  clock_wrong: { is_enabled: true, severity: 'Info', seconds: 60 },
  disk_full: { is_enabled: false, severity: 'Critical', percent: 80 },
  host_down: { is_enabled: true, severity: 'Critical', after_minutes: 10 },
  instance_crashed: { is_enabled: true, severity: 'Warning' },
  low_fps: { is_enabled: true, severity: 'Warning', fps: 20, window_minutes: 15 },
  population_drop: { is_enabled: true, severity: 'Info', percent: 40, window_minutes: 60, min_players: 5 },
};

const everyPart = (): Required<Parts> => ({
  alert_config: part(rules),
  backup_policies: part({ host: 'h1', instance: 'a', keep: 3 }, { host: 'h2', instance: 'a', keep: 30 }),
  clusters: part({ name: 'EU', description: null }, { name: 'US', description: 'Everything in Ohio' }),
  instances: part({ host: 'h1', instance: 'a', cluster: 'EU' }, { host: 'h2', instance: 'a', cluster: 'US' }),
  notification_channels: part({
    name: 'Admins',
    kind: 'chat_webhook',
    least_severity: 'Warning',
    template: '{{title}}',
  }),
  plugin_configs: part(
    { kind: 'furnace-splitting', name: 'Weekend', config_data: kindOf('furnace-splitting').defaults() },
    { kind: 'timed-commands', name: 'Nightly', config_data: kindOf('timed-commands').defaults() },
  ),
  roles: part({ name: 'Night watch', permissions: { 'fleet.view': true, 'console.*': true } }),
  schedules: part(
    schedule(),
    schedule({ occurrence: 2, cron: '0 16 * * *', is_enabled: false }),
    schedule({ host: 'h2', name: 'Rules', action: { kind: 'announcement', message: 'Be kind.' } }),
  ),
  store_categories: part({ name: 'Ranks', description: null, position: 3 }),
  store_config: part({
    name: 'Rusty Islands',
    currency: 'USD',
    theme: { accent: '#d9481f', background: '#101418', text: '#f5f7fa' },
    terms: null,
  }),
  store_items: part(storeItem(), storeItem({ name: 'VIP+', category: null, required_items: ['VIP'] })),
  webhooks: part({
    name: 'Pager',
    url: 'https://hooks.example.com/gantry',
    events: ['host.offline', 'wipe.completed'],
    is_enabled: true,
  }),
  site_config: part({ is_public: true, is_listed_by_default: false, status_page_description: 'Islands' }),
  site_listings: part(
    {
      host: 'h1',
      instance: 'a',
      is_listed: true,
      display_name: 'Islands, 2x',
      description: 'Be kind.',
      wipe_schedule: { cron: '0 19 * * THU', time_zone: 'Europe/Berlin' },
    },
    {
      host: 'h2',
      instance: 'a',
      is_listed: null,
      display_name: null,
      description: null,
      wipe_schedule: null,
    },
  ),
});

const storeItem = (values: Partial<Schemas['MigrationStoreItem']> = {}): Schemas['MigrationStoreItem'] => ({
  name: 'VIP',
  description: null,
  image_url: null,
  category: 'Ranks',
  position: 1,
  price: { amount: '9.99', currency: 'USD' },
  is_enabled: true,
  limit_per_player: 1,
  limit_total: null,
  required_items: [],
  instances: [
    { host: 'h1', instance: 'a' },
    { host: 'h2', instance: 'a' },
  ],
  delivery_commands: ['oxide.usergroup add {steam_id} vip'],
  revoke_commands: [],
  needs_online_player: false,
  repeats_after_wipe: true,
  delivery_days: 30,
  ...values,
});

describe('exportConfiguration', () => {
  it('returns 200 with plugin configurations, their fields in the order in which they were written', async () => {
    const own = await world.createTenant();
    const config_data = Object.fromEntries(Object.entries(kindOf('chat').defaults()).toReversed());
    await world
      .call('post', '/api/plugin-configs/chat', own.owner)
      .send({ kind: 'chat', name: 'Weekend', config_data })
      .expect(201);
    const text = await exportText(world, own.owner);
    const { checksum, ...content } = JSON.parse(text) as Document;
    const [item] = content.parts.plugin_configs?.items ?? [];
    expect(item).toEqual({ kind: 'chat', name: 'Weekend', config_data });
    expect(Object.keys(item?.config_data ?? {})).toEqual(Object.keys(config_data));
    expect(checksum).toBe(checksumOf(content));
  });

  it('returns 200 with only the requested parts, and 400 for an unknown part', async () => {
    const { owner } = await world.createTenant();
    const text = await exportText(world, owner, '?parts=roles,plugin_configs');
    expect(Object.keys((JSON.parse(text) as Document).parts)).toEqual(['plugin_configs', 'roles']);
    for (const name of ['members', 'constructor', '__proto__']) {
      const response = await world.call('get', `/api/migration/export?parts=roles,${name}`, owner);
      expect([name, said(response)]).toEqual([name, { status: 400, code: 'validation_failed' }]);
    }
  });

  it('returns 200 with the configuration of the license, by names, canonical and with a checksum', async () => {
    const own = await createFleet();
    await imported(world, own.owner, { document: documentOf(everyPart()) });
    const text = await exportText(world, own.owner);
    const { checksum, ...content } = JSON.parse(text) as Document;
    expect(content).toEqual({
      exported_at: expect.stringMatching(/Z$/),
      format: 'gantry-migration',
      format_version: 1,
      parts: everyPart(),
    });
    expect(checksum).toBe(checksumOf(content));
    expect(text.trimEnd().endsWith(`,"checksum":"${checksum}"}`)).toBe(true);
  });

  it('has exactly these fields: no secret, no personal data, no history', async () => {
    const allowed: Record<keyof Parts, string[]> = {
      alert_config: [
        'agent_outdated',
        'clock_wrong',
        'disk_full',
        'host_down',
        'instance_crashed',
        'low_fps',
        'population_drop',
      ],
      backup_policies: ['host', 'instance', 'keep'],
      clusters: ['description', 'name'],
      instances: ['cluster', 'host', 'instance'],
      notification_channels: ['kind', 'least_severity', 'name', 'template'],
      plugin_configs: ['config_data', 'kind', 'name'],
      roles: ['name', 'permissions'],
      schedules: [
        'action',
        'cron',
        'host',
        'instance',
        'is_enabled',
        'missed_runs',
        'name',
        'occurrence',
        'time_zone',
      ],
      site_config: ['is_listed_by_default', 'is_public', 'status_page_description'],
      site_listings: ['description', 'display_name', 'host', 'instance', 'is_listed', 'wipe_schedule'],
      store_categories: ['description', 'name', 'position'],
      store_config: ['currency', 'name', 'terms', 'theme'],
      store_items: [
        'category',
        'delivery_commands',
        'delivery_days',
        'description',
        'image_url',
        'instances',
        'is_enabled',
        'limit_per_player',
        'limit_total',
        'name',
        'needs_online_player',
        'position',
        'price',
        'repeats_after_wipe',
        'required_items',
        'revoke_commands',
      ],
      webhooks: ['events', 'is_enabled', 'name', 'url'],
    };
    const own = await createFleet();
    const names = Object.keys(rowsByName);
    await createRows(names, world, own);
    await imported(world, own.owner, { document: documentOf(everyPart()) });
    const text = await exportText(world, own.owner);
    const { parts } = JSON.parse(text) as Document;
    for (const [name, { items }] of Object.entries(parts)) {
      const fields = [...new Set(items.flatMap((item) => Object.keys(item)))].toSorted();
      expect([name, fields]).toEqual([name, allowed[name as keyof Parts]]);
    }
    const documented = contract.components.schemas['MigrationParts']?.properties ?? {};
    expect(Object.keys(documented).toSorted()).toEqual(Object.keys(allowed));
    const suspicious = Object.values(allowed)
      .flat()
      .filter((field) => /secret|token|password|hash|key|credential|email|_id$|^id$|_at$/.test(field));
    expect(suspicious).toEqual([]);
    const { license, owner } = own;
    for (const untold of [
      license.id,
      license.key,
      license.companion_token,
      owner.email,
      ...Object.values(own.ids),
    ])
      expect(text).not.toContain(untold);
  });

  it('is complete for a part that takes many reads, and rejects what no import would accept', async () => {
    const own = await world.createTenant();
    const addClusters = (from: number, to: number) =>
      world.database.query(
        `insert into instance_cluster (license_id, name) select $1, 'Cluster ' || n from generate_series($2::int, $3::int) n`,
        [own.license.id, from, to],
      );
    await addClusters(1, 2000);
    const { parts } = await exported(world, own.owner);
    expect(new Set(parts.clusters?.items.map(({ name }) => name)).size).toBe(2000);
    await addClusters(2001, 2001);
    expect(said(await world.call('get', '/api/migration/export', own.owner))).toEqual({
      status: 422,
      code: 'export_too_large',
    });
  });

  it('returns 422 for a document that is too large, before sending any of it', async () => {
    const own = await world.createTenant();
    await world.database.query(
      `insert into instance_cluster (license_id, name, description)
       select $1, 'Cluster ' || n, repeat('x', 5000) from generate_series(1, 1500) n`,
      [own.license.id],
    );
    expect(said(await world.call('get', '/api/migration/export', own.owner))).toEqual({
      status: 422,
      code: 'export_too_large',
    });
  });
});

describe('importConfiguration', () => {
  it('returns 200 with everything created; a second import leaves everything unchanged', async () => {
    const own = await createFleet();
    const document = documentOf(everyPart());
    const first = await imported(world, own.owner, { document });
    expect(first.parts.map(({ part: name }) => name)).toEqual([
      'alert_config',
      'backup_policies',
      'clusters',
      'instances',
      'notification_channels',
      'plugin_configs',
      'roles',
      'schedules',
      'site_config',
      'site_listings',
      'store_categories',
      'store_config',
      'store_items',
      'webhooks',
    ]);
    expect(countsOf(first)).toEqual({
      alert_config: [1, 0, 0, 0],
      backup_policies: [2, 0, 0, 0],
      clusters: [2, 0, 0, 0],
      instances: [2, 0, 0, 0],
      notification_channels: [1, 0, 0, 0],
      plugin_configs: [2, 0, 0, 0],
      roles: [1, 0, 0, 0],
      schedules: [3, 0, 0, 0],
      site_config: [1, 0, 0, 0],
      site_listings: [2, 0, 0, 0],
      store_categories: [1, 0, 0, 0],
      store_config: [1, 0, 0, 0],
      store_items: [2, 0, 0, 0],
      webhooks: [1, 0, 0, 0],
    });
    const state = await stateOf(own);
    const second = await imported(world, own.owner, { document });
    expect(countsOf(second)).toEqual({
      alert_config: [0, 0, 1, 0],
      backup_policies: [0, 0, 2, 0],
      clusters: [0, 0, 2, 0],
      instances: [0, 0, 2, 0],
      notification_channels: [0, 0, 1, 0],
      plugin_configs: [0, 0, 2, 0],
      roles: [0, 0, 1, 0],
      schedules: [0, 0, 3, 0],
      site_config: [0, 0, 1, 0],
      site_listings: [0, 0, 2, 0],
      store_categories: [0, 0, 1, 0],
      store_config: [0, 0, 1, 0],
      store_items: [0, 0, 2, 0],
      webhooks: [0, 0, 1, 0],
    });
    expect(await stateOf(own)).toEqual(state);
    const rows = await world.database.query(
      `select cron, next_run_at is not null as is_due, created_by, version from schedule where license_id = $1 order by id`,
      [own.license.id],
    );
    const created_by = own.owner.email;
    expect(rows).toEqual([
      { cron: '30 4 * * *', is_due: true, created_by, version: 1 },
      { cron: '0 16 * * *', is_due: false, created_by, version: 1 },
      { cron: '30 4 * * *', is_due: true, created_by, version: 1 },
    ]);
  });

  it('imports a schedule with a wipe, unless its map is missing', async () => {
    const own = await createFleet();
    const wiping = (name: string, wipe: Schemas['ScheduledWipe']) =>
      schedule({ name, action: { kind: 'wipe', wipe } });
    const schedules = part(
      wiping('Every week', { kind: 'map', random_seed: true, countdown_seconds: 900 }),
      wiping('To a map', { kind: 'map', map_id: someId }),
    );
    const report = await imported(world, own.owner, { document: documentOf({ schedules }) });
    expect(countsOf(report)).toEqual({ schedules: [1, 0, 0, 1] });
    expect(report.parts[0]?.items.map(({ reason }) => reason)).toEqual([
      null,
      'It wipes to an uploaded map, which is not in this license.',
    ]);
    const mixed = part(wiping('Mixed', { kind: 'blueprints', random_seed: true }));
    const response = await sendImport(world, own.owner, { document: documentOf({ schedules: mixed }) });
    expect(said(response)).toEqual({ status: 422, code: 'import_refused' });
  });

  it('updates objects of the same name, leaves the rest alone and reports differences', async () => {
    const own = await createFleet();
    const cluster = await createCluster(world, own, { name: 'EU', description: 'Old' });
    const role = await createRole(world, own, { name: 'NIGHT WATCH', permissions: { 'fleet.view': true } });
    await createRole(world, own, { name: 'Only here' });
    const mine = await createSchedule(world, own, {
      instance_id: own.ids.h1a,
      name: 'Nightly',
      cron: '0 1 * * *',
    });
    await world.database.query('update game_instance set cluster_id = $1 where id = $2', [
      cluster,
      own.ids.h2a,
    ]);
    const report = await imported(world, own.owner, { document: documentOf(everyPart()) });
    expect(countsOf(report)).toEqual({
      alert_config: [1, 0, 0, 0],
      backup_policies: [2, 0, 0, 0],
      clusters: [1, 1, 0, 0],
      instances: [1, 1, 0, 0],
      notification_channels: [1, 0, 0, 0],
      plugin_configs: [2, 0, 0, 0],
      roles: [0, 1, 0, 0],
      schedules: [2, 1, 0, 0],
      site_config: [1, 0, 0, 0],
      site_listings: [2, 0, 0, 0],
      store_categories: [1, 0, 0, 0],
      store_config: [1, 0, 0, 0],
      store_items: [2, 0, 0, 0],
      webhooks: [1, 0, 0, 0],
    });
    const changes = report.parts.flatMap(({ items }) => items.flatMap((item) => item.changes));
    expect(changes).toEqual([
      { field: 'description', before: 'Old', after: null },
      { field: 'cluster', before: 'EU', after: 'US' },
      { field: 'name', before: 'NIGHT WATCH', after: 'Night watch' },
      {
        field: 'permissions',
        before: { 'fleet.view': true },
        after: { 'fleet.view': true, 'console.*': true },
      },
      { field: 'cron', before: '0 1 * * *', after: '30 4 * * *' },
      { field: 'time_zone', before: 'UTC', after: 'Europe/Berlin' },
    ]);
    const changed = await world.call('get', `/api/roles/${role}`, own.owner).expect(200);
    expect(changed.body).toMatchObject({ name: 'Night watch', version: 2 });
    expect(changed.headers['etag']).toBe('"2"');
    const { body } = await world.call('get', `/api/schedules/${mine}`, own.owner).expect(200);
    expect(body).toMatchObject({ cron: '30 4 * * *', version: 2 });
    const names = await world.database.query(
      'select name from role where license_id = $1 and not is_system',
      [own.license.id],
    );
    expect(names).toHaveLength(2);
    const log = await world.database.query(
      `select target_type, action from audit_entry where license_id = $1 and operation = 'importConfiguration'`,
      [own.license.id],
    );
    expect(log).toHaveLength(1 + 2 + 2 + 2 + 1 + 2 + 1 + 3 + 1 + 2 + 1 + 1 + 2 + 1);
  });

  it('a dry run returns the same and changes nothing', async () => {
    const own = await createFleet();
    await createCluster(world, own, { name: 'EU', description: 'Old' });
    const document = documentOf(everyPart());
    const before = await stateOf(own);
    const { dry_run, ...trial } = await imported(world, own.owner, { document, dry_run: true });
    expect(dry_run).toBe(true);
    expect(await stateOf(own)).toEqual(before);
    const { dry_run: _, ...done } = await imported(world, own.owner, { document });
    expect(done).toEqual(trial);
  });

  it('leaves alone what the modes exclude', async () => {
    const own = await createFleet();
    await createCluster(world, own, { name: 'EU', description: 'Old' });
    const modes = { clusters: 'add', schedules: 'skip' };
    const report = await imported(world, own.owner, { document: documentOf(everyPart()), modes });
    expect(countsOf(report)).toMatchObject({ clusters: [1, 0, 0, 1], schedules: [0, 0, 0, 3] });
    const reasons = report.parts.flatMap(({ items }) => items.flatMap(({ reason }) => reason ?? []));
    expect(reasons).toEqual([
      'The license already has this item.',
      ...Array<string>(3).fill('The request skips this part.'),
    ]);
    const { parts } = await exported(world, own.owner);
    expect(parts.clusters?.items[0]).toEqual({ name: 'EU', description: 'Old' });
    expect(parts.schedules?.items).toEqual([]);
  });

  it('skips objects for unknown instances, unless the map assigns them', async () => {
    const own = await world.createTenant();
    const other = await createInstance(world, own, { name: 'other' });
    const document = documentOf(everyPart());
    const without = await imported(world, own.owner, { document, dry_run: true });
    expect(countsOf(without)).toMatchObject({ instances: [0, 0, 0, 2], schedules: [0, 0, 0, 3] });
    expect(without.parts.find(({ part: name }) => name === 'schedules')?.items[0]).toEqual({
      pointer: '/document/parts/schedules/items/0',
      label: 'Nightly, of a on h1',
      outcome: 'skipped',
      reason: 'The license has no instance a on a host h1; name one in instance_map.',
      changes: [],
    });
    const instance_map = [{ host: 'h1', instance: 'a', instance_id: other }];
    const report = await imported(world, own.owner, { document, instance_map });
    expect(countsOf(report)).toMatchObject({ instances: [1, 0, 0, 1], schedules: [2, 0, 0, 1] });
    const rows = await world.database.query(
      'select distinct instance_id from schedule where license_id = $1',
      [own.license.id],
    );
    expect(rows).toEqual([{ instance_id: other }]);
    const again = await imported(world, own.owner, { document, instance_map });
    expect(countsOf(again)).toMatchObject({ instances: [0, 0, 1, 1], schedules: [0, 0, 2, 1] });
  });

  it('an instance that the map assigns is not used for another name', async () => {
    const own = await createFleet();
    const instance_map = [{ host: 'h2', instance: 'a', instance_id: own.ids.h1a }];
    const report = await imported(world, own.owner, {
      document: documentOf({ schedules: everyPart().schedules }),
      instance_map,
    });
    expect(countsOf(report)).toEqual({ schedules: [1, 0, 0, 2] });
  });

  it('returns 400 for a map that names an instance twice, 404 for one of another license', async () => {
    const [own, other] = [await createFleet(), await createFleet()];
    const document = documentOf(everyPart());
    const { h1a, h1b } = own.ids;
    const mapped = (...pairs: [string, string][]) =>
      sendImport(world, own.owner, {
        document,
        dry_run: true,
        instance_map: pairs.map(([host, instance_id]) => ({ host, instance: 'a', instance_id })),
      });
    const twice = await mapped(['x', h1a], ['x', h1b]);
    expect([said(twice), pointersOf(twice)]).toEqual([
      { status: 400, code: 'validation_failed' },
      ['/instance_map/1'],
    ]);
    expect(pointersOf(await mapped(['x', h1a], ['y', h1a]))).toEqual(['/instance_map/1/instance_id']);
    const foreign = await mapped(['x', other.ids.h1a]);
    expect([said(foreign), pointersOf(foreign)]).toEqual([
      { status: 404, code: 'not_found' },
      ['/instance_map/0/instance_id'],
    ]);
  });

  it('returns 403 for missing permissions, listed by part, and imports none of the rest (lesson: no privilege escalation)', async () => {
    const own = await createFleet();
    const before = await stateOf(own);
    const lacking = { status: 403, code: 'beyond_own_permissions' };
    const all = {
      'alerts.manage': true,
      'migration.import': true,
      'notifications.manage': true,
      'roles.manage': true,
      'clusters.manage': true,
      'fleet.*': true,
      'schedules.manage': true,
      'console.*': true,
      'instances.power': true,
      'backups.manage': true,
      'siteconfig.manage': true,
      'pluginconfigs.manage': true,
      'webhooks.manage': true,
      'webstore.manage': true,
      'wipes.view': true,
    };
    const document = documentOf(everyPart());
    const expected: Record<string, string[]> = {
      'alerts.manage': ['/document/parts/alert_config'],
      'notifications.manage': ['/document/parts/notification_channels'],
      'roles.manage': ['/document/parts/roles'],
      'clusters.manage': ['/document/parts/clusters'],
      'fleet.*': [
        '/document/parts/instances',
        '/document/parts/roles/items/0',
        '/document/parts/webhooks/items/0',
      ],
      'schedules.manage': ['/document/parts/schedules'],
      'backups.manage': ['/document/parts/backup_policies'],
      'siteconfig.manage': ['/document/parts/site_config', '/document/parts/site_listings'],
      'pluginconfigs.manage': ['/document/parts/plugin_configs'],
      'webhooks.manage': ['/document/parts/webhooks'],
      'webstore.manage': [
        '/document/parts/store_categories',
        '/document/parts/store_config',
        '/document/parts/store_items',
      ],
      'instances.power': ['/document/parts/schedules/items/0', '/document/parts/schedules/items/1'],
      'console.*': [
        '/document/parts/plugin_configs/items/1',
        '/document/parts/roles/items/0',
        '/document/parts/schedules/items/2',
        '/document/parts/store_items/items/0',
        '/document/parts/store_items/items/1',
      ],
    };
    for (const [name, pointers] of Object.entries(expected)) {
      const member = await world.addMemberWith(own, { ...all, [name]: false });
      const response = await sendImport(world, member, { document });
      expect([name, said(response), pointersOf(response)]).toEqual([name, lacking, pointers]);
      const { faults } = await imported(world, member, { document, dry_run: true });
      expect(faults.map(({ pointer, code }) => [pointer, code])).toEqual(
        pointers.map((pointer) => [pointer, 'beyond_own_permissions']),
      );
    }
    const { parts } = await exported(world, own.owner);
    expect(parts.clusters?.items).toEqual([]);
    const member = await world.addMemberWith(own, all);
    await imported(world, member, { document });
    expect(before).not.toEqual(await stateOf(own));
  });

  it('reports the errors of a plugin configuration, and skips unknown kinds', async () => {
    const own = await world.createTenant();
    const good = { kind: 'chat', name: 'Good', config_data: kindOf('chat').defaults() };
    const bad = { kind: 'chat', name: 'Bad', config_data: { no_such_setting: 1 } };
    const unknown = { kind: 'no-such-kind', name: 'Odd', config_data: {} };
    const response = await sendImport(world, own.owner, {
      document: documentOf({ plugin_configs: part(good, bad, unknown) }),
    }).expect(422);
    expect(said(response)).toMatchObject({ code: 'import_refused' });
    for (const pointer of pointersOf(response))
      expect(pointer).toMatch(/^\/document\/parts\/plugin_configs\/items\/1\/config_data/);
    const report = await imported(world, own.owner, {
      document: documentOf({ plugin_configs: part(good, unknown) }),
    });
    expect(countsOf(report)).toEqual({ plugin_configs: [1, 0, 0, 1] });
  });

  it('returns 403 for configurations with commands when the caller may not type commands', async () => {
    const own = await world.createTenant();
    const member = await world.addMemberWith(own, { 'migration.import': true, 'pluginconfigs.manage': true });
    const nightly = {
      kind: 'timed-commands',
      name: 'Nightly',
      config_data: kindOf('timed-commands').defaults(),
    };
    const document = documentOf({ plugin_configs: part(nightly) });
    expect(said(await sendImport(world, member, { document }).expect(403))).toMatchObject({
      code: 'beyond_own_permissions',
    });
    await imported(world, own.owner, { document });
  });

  it('returns 422 beyond 100 configurations of a kind, and imports none', async () => {
    const own = await world.createTenant();
    const config_data = kindOf('furnace-splitting').defaults();
    const items = Array.from({ length: 101 }, (_, n) => ({
      kind: 'furnace-splitting',
      name: `C ${n}`,
      config_data,
    }));
    const response = await sendImport(world, own.owner, {
      document: documentOf({ plugin_configs: part(...items) }),
    });
    expect(said(response)).toEqual({ status: 422, code: 'import_refused' });
    expect(pointersOf(response)).toEqual(['/document/parts/plugin_configs/items/100']);
    await imported(world, own.owner, {
      document: documentOf({ plugin_configs: part(...items.slice(0, 100)) }),
    });
  });

  it("returns 403 for removing permissions the caller lacks, and for adding permissions to the caller's own role", async () => {
    const own = await world.createTenant();
    const member = await world.addMemberWith(own, { 'migration.import': true, 'roles.manage': true });
    await createRole(world, own, { name: 'Strong', permissions: { '*': true } });
    const [{ name } = { name: '' }] = await world.database.query<{ name: string }>(
      `select role.name from role join membership on membership.role_id = role.id
       join user_account on user_account.id = membership.user_id where user_account.email = $1`,
      [member.email],
    );
    for (const role of [
      { name: 'Strong', permissions: {} },
      { name, permissions: { '*': true } },
    ])
      expect(said(await sendImport(world, member, { document: documentOf({ roles: part(role) }) }))).toEqual({
        status: 403,
        code: 'beyond_own_permissions',
      });
  });

  it('returns 422 for a role named like a system role, in any case; memberships stay', async () => {
    const own = await world.createTenant();
    const before = await stateOf(own);
    for (const name of ['Owner', 'OWNER', 'viewer']) {
      const document = documentOf({ roles: part({ name, permissions: {} }) });
      const response = await sendImport(world, own.owner, { document });
      expect([said(response), pointersOf(response)]).toEqual([
        { status: 422, code: 'import_refused' },
        ['/document/parts/roles/items/0'],
      ]);
      const { faults } = await imported(world, own.owner, { document, dry_run: true });
      expect(faults).toEqual([
        {
          pointer: '/document/parts/roles/items/0',
          code: 'role_immutable',
          detail: `${name} is a system role.`,
        },
      ]);
    }
    expect(await stateOf(own)).toEqual(before);
  });

  it('applies at once to members with a role that it changes (lesson: stale access)', async () => {
    const own = await world.createTenant();
    await createRole(world, own, { name: 'Watch', permissions: { 'fleet.view': true } });
    const member = await world.addMember(own, 'Watch');
    await world.call('get', '/api/fleet/instances', member).expect(200);
    await imported(world, own.owner, {
      document: documentOf({ roles: part({ name: 'Watch', permissions: {} }) }),
    });
    await world.call('get', '/api/fleet/instances', member).expect(403);
  });

  it('returns 422 beyond the limits of roles and of schedules, also for concurrent imports (lesson: quota race)', async () => {
    const own = await createFleet();
    for (let index = 0; index < 90; index += 1)
      await insertRow(world, 'role', { license_id: own.license.id, name: `Many ${index}`, permissions: {} });
    const rolesNamed = (prefix: string) =>
      part(...[1, 2].map((index) => ({ name: `${prefix} ${index}`, permissions: {} })));
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        sendImport(world, own.owner, { document: documentOf({ roles: rolesNamed(`Batch ${index}`) }) }),
      ),
    );
    const codes = responses.map((response) => said(response).code ?? 'fine').toSorted();
    expect(codes).toEqual([...Array<string>(3).fill('fine'), ...Array<string>(5).fill('import_refused')]);
    await world.database.query(
      `insert into schedule (license_id, instance_id, name, action, cron, time_zone, created_by)
       select $1, $2, 'Many ' || n, '{"kind":"restart"}', '0 4 1 1 *', 'UTC', 'x' from generate_series(1, 999) n`,
      [own.license.id, own.ids.h1a],
    );
    const document = documentOf({ schedules: everyPart().schedules });
    const { faults } = await imported(world, own.owner, { document, dry_run: true });
    expect(faults).toEqual([
      {
        pointer: '/document/parts/schedules',
        code: 'limit_reached',
        detail: 'A license has at most 1000 schedules.',
      },
    ]);
  });

  it('returns the same response for the same Idempotency-Key, and supports one for a dry run', async () => {
    const own = await createFleet();
    const document = documentOf(everyPart());
    const send = (body: object, key: string) =>
      sendImport(world, own.owner, body).set('Idempotency-Key', key).expect(200);
    const trial = await send({ document, dry_run: true }, randomUUID());
    expect(countsOf(trial.body as Schemas['MigrationReport'])).toMatchObject({ clusters: [2, 0, 0, 0] });
    const key = randomUUID();
    const first = await send({ document }, key);
    expect((await send({ document }, key)).body).toEqual(first.body);
  });

  it('is done in full by one of ten concurrent identical imports, and nothing twice', async () => {
    const own = await createFleet();
    const document = documentOf(everyPart());
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => sendImport(world, own.owner, { document })),
    );
    const fine = responses.filter(({ status }) => status === 200);
    expect(fine).toHaveLength(10);
    const created = fine.filter(
      ({ body }) => countsOf(body as Schemas['MigrationReport'])['clusters']?.[0] === 2,
    );
    expect(created).toHaveLength(1);
    expect((await exported(world, own.owner)).parts).toEqual(everyPart());
  });

  it('imports the example of the contract unchanged', async () => {
    const own = await world.createTenant();
    const examples =
      operations.find(({ id }) => id === 'importConfiguration')?.body?.types[0]?.examples ?? [];
    expect(examples).toHaveLength(2);
    for (const example of examples) {
      const { instance_map: _, ...body } = example as Schemas['MigrationImport'];
      await imported(world, own.owner, body);
    }
  });
});

describe('a hostile document', () => {
  const role = { name: 'Night watch', permissions: { 'fleet.view': true } };
  const roles = (...items: unknown[]) => ({ roles: { version: 1, items } });
  const at = (pointer: string) => `/document${pointer}`;

  const refusals: [string, () => Document, number, string, string[]][] = [
    [
      'that was changed by hand',
      () => ({ ...documentOf(roles(role)), exported_at: '2026-11-21T10:00:01.000Z' }),
      422,
      'checksum_mismatch',
      ['/checksum'],
    ],
    [
      'with the checksum of another',
      () => ({ ...documentOf(roles(role)), checksum: documentOf({}).checksum }),
      422,
      'checksum_mismatch',
      ['/checksum'],
    ],
    [
      'of a version to come',
      () => documentOf(roles(role), { format_version: 2 }),
      400,
      'validation_failed',
      ['/format_version'],
    ],
    [
      'of another format',
      () => documentOf(roles(role), { format: 'pelican' }),
      400,
      'validation_failed',
      ['/format'],
    ],
    [
      'with an unknown part',
      () => documentOf({ wipes: { version: 1, items: [] } }),
      400,
      'validation_failed',
      ['/parts/wipes'],
    ],
    [
      'with a part of a version to come',
      () => documentOf({ roles: { version: 2, items: [] } }),
      400,
      'validation_failed',
      ['/parts/roles/version'],
    ],
    [
      'with an unknown field',
      () => documentOf(roles({ ...role, id: someId })),
      400,
      'validation_failed',
      ['/parts/roles/items/0/id'],
    ],
    [
      'that says it is a system role',
      () => documentOf(roles({ ...role, is_system: true })),
      400,
      'validation_failed',
      ['/parts/roles/items/0/is_system'],
    ],
    [
      'with a permission that there is not',
      () => documentOf(roles({ ...role, permissions: { 'moon.land': true } })),
      400,
      'validation_failed',
      ['/parts/roles/items/0/permissions'],
    ],
    [
      'with one name twice',
      () => documentOf(roles(role, { ...role, permissions: {} })),
      422,
      'import_refused',
      ['/parts/roles/items/1'],
    ],
    [
      'with one name twice, in another case',
      () => documentOf(roles(role, { ...role, name: 'NIGHT WATCH' })),
      422,
      'import_refused',
      ['/parts/roles/items/1'],
    ],
    [
      'with an instance in two clusters',
      () =>
        documentOf({
          ...everyPart(),
          instances: part(
            { host: 'h1', instance: 'a', cluster: 'EU' },
            { host: 'h1', instance: 'a', cluster: 'US' },
          ),
        }),
      422,
      'import_refused',
      ['/parts/instances/items/1'],
    ],
    [
      'with a schedule twice',
      () => documentOf({ schedules: part(schedule(), schedule()) }),
      422,
      'import_refused',
      ['/parts/schedules/items/1'],
    ],
    [
      'with a gap in the counting',
      () => documentOf({ schedules: part(schedule({ occurrence: 2 })) }),
      422,
      'import_refused',
      ['/parts/schedules/items/0/occurrence'],
    ],
    [
      'with a schedule that is never due',
      () => documentOf({ schedules: part(schedule({ cron: '0 0 30 2 *' })) }),
      422,
      'import_refused',
      ['/parts/schedules/items/0/cron'],
    ],
    [
      'with a time zone that there is not',
      () => documentOf({ schedules: part(schedule({ time_zone: 'Moon/Sea' })) }),
      422,
      'import_refused',
      ['/parts/schedules/items/0/time_zone'],
    ],
    [
      'with more entries than there may be',
      () => documentOf(roles(...Array.from({ length: 101 }, (_, index) => ({ ...role, name: `R${index}` })))),
      400,
      'validation_failed',
      ['/parts/roles/items'],
    ],
    [
      'with a second command in an announcement',
      () =>
        documentOf({ schedules: part(schedule({ action: { kind: 'announcement', message: 'hi; quit' } })) }),
      400,
      'validation_failed',
      ['/parts/schedules/items/0/action/message'],
    ],
  ];

  it.each(refusals)(
    '%s is rejected, and nothing of it is imported',
    async (_what, make, status, code, pointers) => {
      const own = await createFleet();
      const before = await stateOf(own);
      const response = await sendImport(world, own.owner, { document: make() });
      expect(said(response)).toEqual({ status, code });
      expect(pointersOf(response)).toEqual(expect.arrayContaining(pointers.map(at)));
      expect(await stateOf(own)).toEqual(before);
    },
  );

  const raw = (own: Tenant, text: string) =>
    world.call('post', '/api/migration/import', own.owner).set('Content-Type', 'application/json').send(text);

  it('with prototype keys is rejected wherever they occur, and pollutes no object', async () => {
    const own = await world.createTenant();
    const document = documentOf(roles(role));
    const spots = ['{', '"parts":{', '"roles":{', '"permissions":{', '{"name"'];
    for (const key of ['__proto__', 'constructor', 'prototype'])
      for (const spot of spots) {
        const text = JSON.stringify({ document });
        const index = text.indexOf(spot) + (spot.startsWith('{') ? 1 : spot.length);
        const spoiled = `${text.slice(0, index)}"${key}":{"isAdmin":true},${text.slice(index)}`;
        expect(() => JSON.parse(spoiled) as unknown).not.toThrow();
        expect([key, spot, (await raw(own, spoiled)).status]).toEqual([key, spot, 400]);
      }
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
    const { parts } = await exported(world, own.owner);
    expect(parts.roles?.items).toEqual([]);
  });

  it('that is too deep, too large, endless or malformed is rejected in time', async () => {
    const own = await world.createTenant();
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    for (const levels of [100, 100_000])
      expect(said(await raw(own, `{"document":{"parts":${deep(levels)}}}`)).status).toBe(400);
    const huge = `{"document":{"parts":{"roles":{"version":1,"items":[${'0,'.repeat(3_000_000)}0]}}}}`;
    expect(said(await raw(own, huge)).status).toBe(400);
    expect(said(await raw(own, `{"document":"${'x'.repeat(8 * 1024 * 1024)}"}`))).toEqual({
      status: 413,
      code: 'payload_too_large',
    });
    for (const text of [
      'null',
      '[]',
      '{}',
      '{"document":null}',
      '{"document":{"parts":1e999}}',
      '{"document":',
    ])
      expect([text, said(await raw(own, text)).status]).toEqual([text, 400]);
  });

  it('with ids of another license has no field to put them in', async () => {
    const [own, other] = [await createFleet(), await createFleet()];
    const before = await stateOf(other);
    const items = [{ ...schedule(), instance_id: other.ids.h1a }];
    const response = await sendImport(world, own.owner, {
      document: documentOf({ schedules: { version: 1, items } }),
    });
    expect(pointersOf(response)).toEqual(['/document/parts/schedules/items/0/instance_id']);
    await imported(world, own.owner, { document: documentOf(everyPart()) });
    expect(await stateOf(other)).toEqual(before);
  });
});

it('gives another license the same configuration, and a second import changes nothing', () =>
  expectRoundTrip(world, everyPart()));
