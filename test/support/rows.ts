// Rows of a license, written directly into the database; and how to create the row that a parameter names.
import { randomUUID } from 'node:crypto';
import { contract } from './contract.ts';
import { kindDefinitions } from '../../src/plugin-configs/registry.ts';
import { createApiKey, createResellerKey, hashSecret } from '../../src/secrets/random-secrets.ts';
import type { Tenant, World } from './world.ts';

type Values = Record<string, unknown>;

/** Inserts a row and returns its id. */
export async function insertRow(world: World, table: string, values: Values): Promise<string> {
  const columns = Object.keys(values);
  const [row] = await world.database.query<{ id: string }>(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
    Object.values(values),
  );
  if (row === undefined) throw new Error(`${table} did not accept the row`);
  return row.id;
}

const shortName = (kind: string) => `${kind}-${randomUUID().slice(0, 8)}`;

export function createHost(world: World, { license }: Tenant, values: Values = {}): Promise<string> {
  return insertRow(world, 'agent_host', {
    license_id: license.id,
    hostname: shortName('host'),
    platform: 'test',
    agent_version: '0.0.0-test',
    bus_public_key: `U${randomUUID()}`,
    ...values,
  });
}

export async function createInstance(world: World, tenant: Tenant, values: Values = {}): Promise<string> {
  return insertRow(world, 'game_instance', {
    license_id: tenant.license.id,
    name: shortName('instance'),
    ...values,
    host_id: values['host_id'] ?? (await createHost(world, tenant)),
  });
}

/** The report of a host's agent that allows instances from a template. */
export const withTemplates: Values = {
  max_managed_instances: 100,
  instance_templates: JSON.stringify([
    { name: 'rust', parameters: [{ name: 'title', type: 'text', max_length: 60, default: 'A Rust server' }] },
  ]),
};

/** An instance that was created from that template. */
export const fromTemplate: Values = {
  managed_by: 'platform',
  template: 'rust',
  template_parameters: {},
  definition_version: 1,
};

export function createCluster(world: World, { license }: Tenant, values: Values = {}): Promise<string> {
  return insertRow(world, 'instance_cluster', {
    license_id: license.id,
    name: shortName('cluster'),
    ...values,
  });
}

export async function createCommand(world: World, tenant: Tenant, values: Values = {}): Promise<string> {
  const hostId =
    values['host_id'] ?? (await hostOf(world, values['instance_id'])) ?? (await createHost(world, tenant));
  return insertRow(world, 'command', {
    license_id: tenant.license.id,
    kind: 'start',
    status: 'acknowledged',
    expires_at: new Date(Date.now() + 3_600_000),
    ...values,
    host_id: hostId,
    instance_id: values['instance_id'] ?? (await createInstance(world, tenant, { host_id: hostId })),
  });
}

/** A schedule that is due far in the future. */
export async function createSchedule(world: World, tenant: Tenant, values: Values = {}): Promise<string> {
  return insertRow(world, 'schedule', {
    license_id: tenant.license.id,
    name: shortName('schedule'),
    action: { kind: 'restart' },
    cron: '0 4 1 1 *',
    time_zone: 'UTC',
    next_run_at: '2099-01-01T04:00:00Z',
    created_by: tenant.owner.email,
    ...values,
    instance_id: values['instance_id'] ?? (await createInstance(world, tenant)),
  });
}

/** A wipe that its agent has not received yet. */
export async function createWipe(world: World, tenant: Tenant, values: Values = {}): Promise<string> {
  const instanceId = values['instance_id'] ?? (await createInstance(world, tenant));
  return insertRow(world, 'wipe_history', {
    license_id: tenant.license.id,
    instance_name: 'main',
    kind: 'map',
    countdown_seconds: 0,
    with_backup: false,
    with_start: false,
    ...values,
    host_id: values['host_id'] ?? (await hostOf(world, instanceId)),
    instance_id: instanceId,
  });
}

/** A session of the license's owner. */
export function createSession(world: World, { owner }: Tenant): Promise<string> {
  return world.database
    .query<{ id: string }>(
      'insert into user_session (user_id) select id from user_account where email = $1 returning id',
      [owner.email],
    )
    .then(([row]) => row?.id ?? '');
}

/**
 * A key of the license, created by its owner, with every permission; `last_used_at` prevents recording its
 * use.
 */
export async function createKey(world: World, tenant: Tenant, values: Values = {}): Promise<string> {
  return (await createKeyWithText(world, tenant, values)).id;
}

/** The same, with the key in plain text. */
export async function createKeyWithText(
  world: World,
  { license, owner }: Tenant,
  values: Values = {},
): Promise<{ id: string; key: string }> {
  const { identifier, key } = createApiKey();
  const [creator] = await world.database.query<{ id: string }>(
    'select id from user_account where email = $1',
    [owner.email],
  );
  const id = await insertRow(world, 'api_key', {
    license_id: license.id,
    identifier,
    secret_hash: hashSecret(key),
    name: shortName('key'),
    permissions: { '*': true },
    created_by_id: creator?.id,
    created_by: owner.email,
    last_used_at: new Date(Date.now() + 3_600_000),
    ...values,
  });
  return { id, key };
}

export function createSubscription(world: World, { license }: Tenant, values: Values = {}): Promise<string> {
  return insertRow(world, 'subscription', {
    license_id: license.id,
    kind: 'module',
    reference: 'loot-manager',
    status: 'active',
    amount: '9.99',
    currency: 'USD',
    period: 'month',
    ...values,
  });
}

/** A subscription to a module, whose period has just begun. */
export async function createModuleSubscription(
  world: World,
  tenant: Tenant,
  values: Values = {},
): Promise<string> {
  const now = Date.now();
  return createSubscription(world, tenant, {
    module_id: values['module_id'] ?? (await createModule(world, { billing_period: 'month' })),
    subscribed_by: tenant.owner.email,
    anchor_at: new Date(now),
    period_number: 1,
    period_start: new Date(now),
    period_end: new Date(now + 30 * 24 * 3_600_000),
    ...values,
  });
}

async function hostOf(world: World, instanceId: unknown): Promise<string | undefined> {
  const [instance] = await world.database.query<{ host_id: string }>(
    'select host_id from game_instance where id = $1',
    [instanceId],
  );
  return instance?.host_id;
}

export function createRole(world: World, { license }: Tenant, values: Values = {}): Promise<string> {
  return insertRow(world, 'role', {
    license_id: license.id,
    name: shortName('role'),
    permissions: {},
    ...values,
  });
}

/** A new member of the team. */
export async function createMember(world: World, tenant: Tenant, values: Values = {}): Promise<string> {
  const email = await world.createUser('member');
  const [user] = await world.database.query<{ id: string }>('select id from user_account where email = $1', [
    email,
  ]);
  return insertRow(world, 'membership', {
    license_id: tenant.license.id,
    user_id: user?.id,
    ...values,
    role_id: values['role_id'] ?? (await createRole(world, tenant)),
  });
}

/** An open invitation by the owner. */
export async function createInvitation(world: World, tenant: Tenant, values: Values = {}): Promise<string> {
  const [owner] = await world.database.query<{ id: string }>('select id from user_account where email = $1', [
    tenant.owner.email,
  ]);
  return insertRow(world, 'invitation', {
    license_id: tenant.license.id,
    email: `${shortName('invited')}@example.com`,
    invited_by: owner?.id,
    token_hash: randomUUID(),
    expires_at: new Date(Date.now() + 3_600_000),
    ...values,
    role_id: values['role_id'] ?? (await createRole(world, tenant)),
  });
}

/** A backup of the instance's host. */
export async function createBackup(world: World, tenant: Tenant, values: Values = {}): Promise<string> {
  return insertRow(world, 'instance_backup', {
    license_id: tenant.license.id,
    id: randomUUID(),
    kind: 'manual',
    is_partial: false,
    size: 1,
    content_size: 1,
    sha256: '0'.repeat(64),
    files: 1,
    changed_files: 0,
    left_out: 0,
    created_at: new Date(),
    ...values,
    instance_id: values['instance_id'] ?? (await createInstance(world, tenant)),
  });
}

/** A map, without its file. */
export async function createMap(world: World, { license }: Tenant, values: Values = {}): Promise<string> {
  return insertRow(world, 'map', {
    license_id: license.id,
    name: shortName('map'),
    sha256: hashSecret(randomUUID()),
    bytes: 1_000,
    format_version: 10,
    world_size: 4_500,
    scan_status: 'not_scanned',
    scan_detail: '',
    ...values,
    file_id:
      values['file_id'] ??
      (await insertRow(world, 'stored_file', { license_id: license.id, kind: 'maps', state: 'kept' })),
  });
}

/** A map that an instance has. */
export async function createMapDeployment(
  world: World,
  tenant: Tenant,
  values: Values = {},
): Promise<string> {
  const instanceId = values['instance_id'] ?? (await createInstance(world, tenant));
  return insertRow(world, 'map_deployment', {
    license_id: tenant.license.id,
    file_name: `${shortName('map')}.map`,
    ...values,
    instance_id: instanceId,
    map_id: values['map_id'] ?? (await createMap(world, tenant)),
    command_id:
      values['command_id'] ??
      (await createCommand(world, tenant, {
        instance_id: instanceId,
        kind: 'deploy_map',
        status: 'succeeded',
      })),
  });
}

/** A module of the catalogue, whose plugin URL is unreachable. */
export function createModule(world: World, values: Values = {}): Promise<string> {
  return insertRow(world, 'module', {
    slug: shortName('module'),
    name: 'A module',
    description: 'A module.',
    price: 999,
    currency: 'USD',
    features: ['A feature'],
    plugin: 'Kits',
    plugin_url: 'https://modules.invalid/Kits.cs',
    plugin_sha256: '0'.repeat(64),
    plugin_bytes: 1_000,
    ...values,
  });
}

/** A module that an instance has. */
export async function createModuleInstallation(
  world: World,
  tenant: Tenant,
  values: Values = {},
): Promise<string> {
  const instanceId = values['instance_id'] ?? (await createInstance(world, tenant));
  return insertRow(world, 'module_installation', {
    license_id: tenant.license.id,
    ...values,
    instance_id: instanceId,
    module_id: values['module_id'] ?? (await createModule(world)),
    command_id:
      values['command_id'] ??
      (await createCommand(world, tenant, {
        instance_id: instanceId,
        kind: 'install_module',
        status: 'succeeded',
      })),
  });
}

/** A webhook with an unreachable receiver. No key decrypts its secret, so nothing can be signed with it. */
export function createWebhook(world: World, { license }: Tenant, values: Values = {}): Promise<string> {
  return insertRow(world, 'webhook', {
    license_id: license.id,
    name: shortName('webhook'),
    url: 'https://webhooks.invalid/',
    events: ['host.offline', 'order.*'],
    secret: Buffer.from('sealed'),
    ...values,
  });
}

/** An abandoned delivery. */
export async function createDelivery(world: World, tenant: Tenant, values: Values = {}): Promise<string> {
  return insertRow(world, 'webhook_delivery', {
    license_id: tenant.license.id,
    event: 'host.offline',
    event_id: randomUUID(),
    body: '{}',
    status: 'failed',
    next_attempt_at: null,
    finished_at: new Date(),
    ...values,
    webhook_id: values['webhook_id'] ?? (await createWebhook(world, tenant)),
  });
}

export function createStoreCategory(world: World, { license }: Tenant, values: Values = {}): Promise<string> {
  return insertRow(world, 'store_category', {
    license_id: license.id,
    name: shortName('category'),
    position: 0,
    ...values,
  });
}

/** An item for a dollar that prints a line on the server. */
export function createStoreItem(world: World, { license }: Tenant, values: Values = {}): Promise<string> {
  return insertRow(world, 'store_item', {
    license_id: license.id,
    name: shortName('item'),
    position: 0,
    price_minor: 100,
    currency: 'USD',
    is_enabled: true,
    delivery_commands: '["say {steam_id}"]',
    revoke_commands: '[]',
    needs_online_player: false,
    repeats_after_wipe: false,
    delivery_days: 30,
    ...values,
  });
}

/** An order that was paid in the sandbox. */
export function createStoreOrder(world: World, { license }: Tenant, values: Values = {}): Promise<string> {
  return insertRow(world, 'store_order', {
    license_id: license.id,
    steam_id: '76561197960287930',
    provider: 'sandbox',
    is_test: true,
    status: 'paid',
    currency: 'USD',
    total_minor: 100,
    expires_at: new Date(),
    paid_at: new Date(),
    ...values,
  });
}

/** A delivery that has arrived. */
export async function createStoreDelivery(
  world: World,
  tenant: Tenant,
  { transaction_id, order_id: known, ...values }: Values = {},
): Promise<string> {
  const license_id = tenant.license.id;
  const order_id = transaction_id ?? known ?? (await createStoreOrder(world, tenant));
  const line_id = await insertRow(world, 'store_order_line', {
    license_id,
    order_id,
    item_name: 'VIP',
    unit_minor: 100,
    quantity: 1,
    instance_ids: '[]',
    delivery_commands: '["say {steam_id}"]',
    revoke_commands: '[]',
    needs_online_player: false,
    repeats_after_wipe: false,
    delivery_days: 30,
  });
  return insertRow(world, 'store_delivery', {
    license_id,
    order_id,
    line_id,
    instance_name: 'main',
    steam_id: '76561197960287930',
    kind: 'delivery',
    unit: 1,
    status: 'delivered',
    next_attempt_at: null,
    expires_at: new Date(),
    finished_at: new Date(),
    ...values,
    instance_id: values['instance_id'] ?? (await createInstance(world, tenant)),
  });
}

const resellers = new WeakMap<Tenant, Promise<{ id: string; key: string }>>();

/** The tenant's reseller: no other tenant's reseller sees what it provisioned. */
export function createResellerOf(world: World, tenant: Tenant): Promise<{ id: string; key: string }> {
  const made = resellers.get(tenant) ?? createReseller(world);
  resellers.set(tenant, made);
  return made;
}

/** A reseller at 6.00 USD for a license and month, with its key in plain text. */
export async function createReseller(
  world: World,
  values: Values = {},
): Promise<{ id: string; key: string }> {
  const { identifier, key } = createResellerKey();
  const id = await insertRow(world, 'reseller', {
    name: shortName('reseller'),
    key_identifier: identifier,
    key_hash: hashSecret(key),
    ...values,
  });
  await insertRow(world, 'reseller_rate', {
    reseller_id: id,
    from_month: '2000-01',
    amount: 600,
    currency: 'USD',
    unit: 'license',
  });
  return { id, key };
}

/** A license that a reseller has provisioned, the tenant's own by default. */
export async function createResellerLicense(
  world: World,
  tenant: Tenant,
  values: Values = {},
): Promise<string> {
  const name = shortName('resold');
  return insertRow(world, 'reseller_license', {
    server_id: name,
    hostname: name,
    customer_email: `${name}@example.com`,
    ...values,
    reseller_id: values['reseller_id'] ?? (await createResellerOf(world, tenant)).id,
    license_id:
      values['license_id'] ??
      (await insertRow(world, 'license', { key: name, name, subdomain: name, companion_token_hash: name })),
  });
}

/** An alert that has ended. */
export async function createAlert(world: World, tenant: Tenant, values: Values = {}): Promise<string> {
  const hostId = values['host_id'] ?? (await createHost(world, tenant));
  return insertRow(world, 'alert', {
    license_id: tenant.license.id,
    kind: 'disk_full',
    severity: 'Warning',
    subject_id: hostId,
    subject_name: 'host',
    host_name: 'host',
    metadata: { used_percent: 95, threshold_percent: 90 },
    ended_at: new Date(),
    end_reason: 'recovered',
    ...values,
    host_id: hostId,
  });
}

/** A channel with an unreachable receiver. No key decrypts its target, so nothing can be sent. */
export function createChannel(world: World, { license }: Tenant, values: Values = {}): Promise<string> {
  return insertRow(world, 'notification_channel', {
    license_id: license.id,
    name: shortName('channel'),
    kind: 'chat_webhook',
    destination: 'chat.invalid',
    target: Buffer.from('sealed'),
    ...values,
  });
}

/** A configuration of that kind, from the example of the contract. */
function exampleOfKind(kind: unknown): object {
  const noun = kindDefinitions.find(({ name }) => name === kind)?.noun ?? '';
  return contract.components.schemas[`${noun}ConfigData`]?.example as object;
}

export function createPluginConfig(world: World, { license }: Tenant, values: Values = {}): Promise<string> {
  return insertRow(world, 'plugin_config', {
    license_id: license.id,
    kind: 'gather',
    name: shortName('config'),
    config_data: exampleOfKind(values['kind'] ?? 'gather'),
    ...values,
  });
}

/** An application that its agent is executing. */
export async function createPluginApplication(
  world: World,
  tenant: Tenant,
  values: Values = {},
): Promise<string> {
  return insertRow(world, 'plugin_application', {
    license_id: tenant.license.id,
    kind: 'gather',
    status: 'applying',
    ...values,
    plugin_config_id: values['plugin_config_id'] ?? (await createPluginConfig(world, tenant)),
    instance_id: values['instance_id'] ?? (await createInstance(world, tenant)),
  });
}

/** Ids of rows by parameter name. */
export type Rows = Readonly<Record<string, string>>;

/** Creates a row of the tenant's license, within those of the `known` ones that it belongs to. */
type RowMaker = (world: World, tenant: Tenant, known: Rows) => Promise<string>;

/**
 * How to create the row of a license that a parameter, or a field of a query or body, of this name refers to.
 * A new area adds its names here; the tests that are generated from the contract fail until it has.
 */
/** An event of a new cluster. */
export async function createEvent(world: World, tenant: Tenant, values: Values = {}): Promise<string> {
  const clusterId = await createCluster(world, tenant);
  const { host_id = null, instance_id = null } = values;
  const [event] = await world.database.query<{ id: string }>(
    'update event_log set host_id = $2, instance_id = $3 where subject_id = $1 returning id',
    [clusterId, host_id, instance_id],
  );
  return event?.id ?? '';
}

export const rowsByName: Readonly<Record<string, RowMaker>> = {
  alert_id: (world, tenant, known) => createAlert(world, tenant, only(known, ['host_id', 'instance_id'])),
  api_key_id: (world, tenant) => createKey(world, tenant),
  backup_id: (world, tenant, known) =>
    createBackup(world, tenant, only(known, ['instance_id', 'schedule_id'])),
  category_id: (world, tenant) => createStoreCategory(world, tenant),
  cluster_id: (world, tenant) => createCluster(world, tenant),
  event_id: (world, tenant, known) => createEvent(world, tenant, only(known, ['host_id', 'instance_id'])),
  command_id: (world, tenant, known) => createCommand(world, tenant, only(known, ['host_id', 'instance_id'])),
  delivery_id: (world, tenant, known) =>
    createStoreDelivery(
      world,
      tenant,
      only(known, ['transaction_id', 'order_id', 'instance_id', 'command_id', 'wipe_id']),
    ),
  host_id: (world, tenant) => createHost(world, tenant, withTemplates),
  instance_id: async (world, tenant, known) =>
    createInstance(world, tenant, {
      ...fromTemplate,
      host_id: known['host_id'] ?? (await createHost(world, tenant, withTemplates)),
      ...only(known, ['cluster_id']),
    }),
  invitation_id: (world, tenant, known) => createInvitation(world, tenant, only(known, ['role_id'])),
  item_id: (world, tenant, known) => createStoreItem(world, tenant, only(known, ['category_id'])),
  map_deployment_id: (world, tenant, known) =>
    createMapDeployment(world, tenant, only(known, ['instance_id', 'map_id', 'command_id'])),
  map_id: (world, tenant) => createMap(world, tenant),
  member_id: (world, tenant, known) => createMember(world, tenant, only(known, ['role_id'])),
  order_id: (world, tenant) => createStoreOrder(world, tenant),
  required_item_id: (world, tenant, known) => createStoreItem(world, tenant, only(known, ['category_id'])),
  module_installation_id: (world, tenant, known) =>
    createModuleInstallation(world, tenant, only(known, ['instance_id', 'command_id', 'module_id'])),
  module_subscription_id: (world, tenant) => createModuleSubscription(world, tenant),
  reseller_license_id: (world, tenant) => createResellerLicense(world, tenant),
  notification_channel_id: (world, tenant) => createChannel(world, tenant),
  plugin_application_id: (world, tenant, known) =>
    createPluginApplication(world, tenant, only(known, ['plugin_config_id', 'instance_id', 'command_id'])),
  plugin_config_id: (world, tenant) => createPluginConfig(world, tenant),
  loot_config_id: (world, tenant) => createPluginConfig(world, tenant, { kind: 'loot' }),
  role_id: (world, tenant) => createRole(world, tenant),
  schedule_id: (world, tenant, known) => createSchedule(world, tenant, only(known, ['instance_id'])),
  session_id: (world, tenant) => createSession(world, tenant),
  transaction_id: (world, tenant) => createStoreOrder(world, tenant),
  webhook_delivery_id: (world, tenant, known) =>
    createDelivery(world, tenant, only(known, ['webhook_id', 'event_id'])),
  from_event_id: (world, tenant, known) =>
    createEvent(world, tenant, only(known, ['host_id', 'instance_id'])),
  webhook_id: (world, tenant) => createWebhook(world, tenant),
  wipe_id: (world, tenant, known) =>
    createWipe(world, tenant, only(known, ['host_id', 'instance_id', 'command_id', 'map_id'])),
};

/** A dead background job. */
export async function createDeadJob(world: World, payload: object): Promise<string> {
  const [job] = await world.database.query<{ id: string }>(
    `select id::text as id from graphile_worker.add_job('relay-commands', $1::json)`,
    [JSON.stringify(payload)],
  );
  const id = job?.id ?? '';
  await world.database.query(
    `update graphile_worker._private_jobs set attempts = 25, last_error = 'it failed' where id = $1`,
    [id],
  );
  return id;
}

/** Names of rows of the platform itself. As parameters of a path they are for super admins. */
export const platformRowsByName: Readonly<Record<string, RowMaker>> = {
  release_note_id: (world) =>
    insertRow(world, 'changelog_entry', { title: shortName('note'), text: 'Something is new.' }),
  job_id: (world) => createDeadJob(world, { host_id: '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01' }),
  license_id: async (_world, { license }) => license.id,
  module_id: (world) => createModule(world),
  reseller_id: async (world) => (await createReseller(world)).id,
  user_id: (world) => insertRow(world, 'user_account', { email: `${shortName('user')}@example.com` }),
};

/** Names of path parameters that refer to no row, such as a month. */
export const namesWithoutRow: ReadonlySet<string> = new Set<string>([
  'file_name',
  'kind',
  'map_secret',
  'month',
  'plugin',
  'plugin_copy_id',
  'steam_id',
  'subdomain',
]);

export function createRow(name: string, world: World, tenant: Tenant, known: Rows): Promise<string> {
  const make = rowsByName[name] ?? platformRowsByName[name];
  if (make === undefined) throw new Error(`rowsByName of test/support/rows.ts cannot create a ${name}`);
  return make(world, tenant, known);
}

/** A row for each of the names, each within those before it. */
export async function createRows(
  names: readonly string[],
  world: World,
  tenant: Tenant,
  known: Rows = {},
): Promise<Rows> {
  let rows = known;
  for (const name of names) rows = { ...rows, [name]: await createRow(name, world, tenant, rows) };
  return rows;
}

function only(rows: Rows, names: string[]): Rows {
  return Object.fromEntries(Object.entries(rows).filter(([name]) => names.includes(name)));
}

/** Columns that background jobs roll up at any time. */
const addedUpLater: ReadonlySet<string> = new Set([
  'alert',
  'alert_round',
  'instance_stats_day',
  'instance_stats_due',
  'instance_stats_hour',
  'map_day',
  'map_month',
  'map_month_end',
  'map_sighting',
  'player_day',
  'player_day_count',
  'player_return',
  'session_change',
  'session_day',
  'session_quarter',
  'wipe_player',
  'wipe_retention',
]);

/** Whether a row has been rolled up; its content is unchanged. */
const rollUpMarker = 'is_rolled_up';

/** Every row that belongs to the license, by table, for comparing before and after; roll-ups excluded. */
export async function dumpLicense(world: World, licenseId: string): Promise<Record<string, unknown>> {
  const tables = (await tablesOfLicenses(world)).filter(({ name }) => !addedUpLater.has(name));
  const union = tables.map(
    ({ name, key }) =>
      `select '${name}' as name, (select json_agg(to_jsonb(r) - '${rollUpMarker}' order by r::text)
       from ${name} r where r.${key} = $1) as rows`,
  );
  const dump = await world.database.query<{ name: string; rows: unknown }>(union.join(' union all '), [
    licenseId,
  ]);
  return Object.fromEntries(dump.map(({ name, rows }) => [name, rows]));
}

/**
 * Changes when any row of these licenses is added, changed or deleted: far quicker to compare than contents.
 */
export async function marksOf(world: World, licenseIds: readonly string[]): Promise<unknown[]> {
  const made = marksFunctions.get(world) ?? createMarksFunction(world);
  marksFunctions.set(world, made);
  await made;
  return world.database.query('select * from marks($1) order by 1, 2', [licenseIds]);
}

const marksFunctions = new WeakMap<World, Promise<unknown>>();

/** A function, because PostgreSQL plans it once and the query each time: planning takes most of the time. */
async function createMarksFunction(world: World): Promise<void> {
  const union = (await tablesOfLicenses(world)).map(
    ({ name, key }) =>
      `select '${name}', ${key}, count(*), max(xmin::text::bigint) from ${name} where ${key} = any(ids) group by 2`,
  );
  await world.database.query(
    `create function marks(ids uuid[]) returns table (name text, license uuid, rows bigint, newest bigint)
     language plpgsql set plan_cache_mode = force_generic_plan
     as $$ begin return query ${union.join(' union all ')}; end $$`,
  );
}

/** Without the counts that triggers keep of the other tables' rows: the jobs add them up at any time. */
const tablesOfLicenses = (world: World) =>
  world.database.query<{ name: string; key: string }>(
    `select c.relname as name, 'license_id' as key from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'license_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not in ('license_count', 'license_count_change')
     union all select 'license', 'id' order by 1`,
  );
