// Every table and column of a license is part of migration documents, or excluded for a reason given here.
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { contract } from '../support/contract.ts';

/** Columns that identify or date rows: documents use names, and contain no history. */
const everywhere = ['id', 'license_id', 'version', 'created_at', 'updated_at', 'updated_by'];

interface Carried {
  part: string;
  columns: readonly string[];
  /** Excluded columns, each with its reason. */
  left?: Readonly<Record<string, string>>;
}

const recorded = 'Recorded while it ran, not configured.';
const secret = 'A secret, or made with one.';

const carried: Readonly<Record<string, Carried>> = {
  alert_config: { part: 'alert_config', columns: ['rules'] },
  backup_policy: { part: 'backup_policies', columns: ['instance_id', 'keep'] },
  game_instance: {
    part: 'instances',
    columns: ['host_id', 'name', 'cluster_id'],
    left: Object.fromEntries(
      [
        'game',
        'state',
        'state_at',
        'state_boot_id',
        'state_seq',
        'is_unconfirmed',
        'down_since',
        'crashed_at',
        'crash_told_at',
        'uptime_seconds',
        'players',
        'max_players',
        'queued',
        'fps',
        'entities',
        'map',
        'cpu_percent',
        'memory_bytes',
        'backups_boot_id',
        'capabilities',
        'backups_seq',
        'managed_by',
        'template',
        'template_parameters',
        'definition_version',
        'definition_problem',
        'store_asked_at',
        'last_seen_at',
      ].map((column) => [column, 'What its agent reports.']),
    ),
  },
  instance_cluster: { part: 'clusters', columns: ['name', 'description'] },
  notification_channel: {
    part: 'notification_channels',
    columns: ['name', 'kind', 'least_severity', 'template'],
    left: {
      target: secret,
      destination: secret,
      is_enabled: 'Without its target a channel is imported disabled.',
      last_success_at: recorded,
      last_error_at: recorded,
      last_error: recorded,
      from_seq: recorded,
      served_at: recorded,
      served_until: recorded,
      turn_id: recorded,
    },
  },
  plugin_config: { part: 'plugin_configs', columns: ['kind', 'name', 'config_data'] },
  role: {
    part: 'roles',
    columns: ['name', 'permissions'],
    left: { is_system: 'System roles are everywhere and not in documents.' },
  },
  schedule: {
    part: 'schedules',
    columns: ['instance_id', 'name', 'action', 'cron', 'time_zone', 'missed_runs', 'is_enabled'],
    left: {
      next_run_at: 'Calculated again.',
      next_announcement_at: 'Calculated again.',
      announced_until: 'Recorded of the past.',
      created_by: 'People stay behind.',
    },
  },
  site_config: {
    part: 'site_config',
    columns: ['is_public', 'is_listed_by_default', 'status_page_description'],
  },
  site_listing: {
    part: 'site_listings',
    columns: ['instance_id', 'is_listed', 'display_name', 'description', 'wipe_cron', 'wipe_time_zone'],
  },
  store_category: { part: 'store_categories', columns: ['name', 'description', 'position'] },
  store_config: {
    part: 'store_config',
    columns: ['name', 'currency', 'theme', 'terms'],
    left: {
      provider: 'The payment provider is configured again.',
      is_enabled: 'A store that is imported is closed until a member opens it.',
    },
  },
  store_item: {
    part: 'store_items',
    columns: [
      'category_id',
      'name',
      'description',
      'image_url',
      'position',
      'price_minor',
      'currency',
      'is_enabled',
      'limit_per_player',
      'limit_total',
      'delivery_commands',
      'revoke_commands',
      'needs_online_player',
      'repeats_after_wipe',
      'delivery_days',
    ],
  },
  store_item_instance: { part: 'store_items', columns: ['item_id', 'instance_id'] },
  store_item_requirement: { part: 'store_items', columns: ['item_id', 'required_item_id'] },
  webhook: {
    part: 'webhooks',
    columns: ['name', 'url', 'events', 'is_enabled'],
    left: {
      secret,
      previous_secret: secret,
      previous_secret_ends_at: secret,
      disabled_at: recorded,
      disabled_reason: recorded,
      last_delivery_at: recorded,
      last_status: recorded,
      last_status_code: recorded,
      last_success_at: recorded,
      recent_failures: recorded,
      rests_until: recorded,
      in_order_until: recorded,
      off_since: recorded,
      from_seq: recorded,
      served_at: recorded,
      served_until: recorded,
      turn_id: recorded,
    },
  },
};

/** Excluded tables, each with its reason. docs/migration.md explains the same to people. */
const left: Readonly<Record<string, string>> = {
  agent_host: 'Agents enroll themselves.',
  alert: recorded,
  alert_round: recorded,
  api_key_deprecated_use: recorded,
  api_key: 'A secret. Programs get keys of the new license.',
  archived_month: 'What the archive of this installation has.',
  archived_player: 'What the archive of this installation has.',
  audit_entry: recorded,
  command: recorded,
  console_ticket: 'Lives for seconds.',
  domain_event: 'Empty: what a former program records there goes to the event log.',
  enrolment_code: 'Lives for 15 minutes.',
  event_draft: 'Lives for a transaction.',
  event_log: recorded,
  event_relay: recorded,
  event_sequence: recorded,
  former_subdomain: "A license's address is its own.",
  instance_backup: 'Backups stay on the hosts of their agents.',
  instance_run: recorded,
  instance_state_interval: recorded,
  instance_stats: recorded,
  instance_stats_5m: recorded,
  instance_stats_day: recorded,
  instance_stats_due: recorded,
  instance_stats_hour: recorded,
  instance_stats_packed: recorded,
  license_count: recorded,
  license_count_change: recorded,
  invitation: 'People stay behind: access is granted again.',
  license_activity: recorded,
  map: 'A file, not a setting; upload it again.',
  map_day: recorded,
  map_deployment: recorded,
  map_month: recorded,
  map_month_end: recorded,
  map_sighting: recorded,
  membership: 'People stay behind: access is granted again.',
  module_installation: 'Installed on one server; install it again.',
  module_purchase: 'Bought for one license.',
  notification: recorded,
  played_map: recorded,
  player: recorded,
  player_action: 'What was done to players; bans are kept by the game servers.',
  player_day: recorded,
  player_day_count: recorded,
  player_event: recorded,
  player_name: recorded,
  player_return: recorded,
  player_session: recorded,
  player_session_due: recorded,
  plugin_application: recorded,
  reseller_license: 'Between the platform and a reseller.',
  sandbox: 'What makes a license a test; it is not configured.',
  schedule_run: recorded,
  server_connection: 'What agents report.',
  session_change: recorded,
  session_day: recorded,
  session_quarter: recorded,
  simulated_host: recorded,
  store_account: 'Secrets of a payment provider.',
  store_delivery: recorded,
  store_order: recorded,
  store_order_line: recorded,
  store_payment_event: recorded,
  stored_file: 'A file, not a setting; upload it again.',
  subscription: 'Paid for by one license.',
  subscription_event: recorded,
  webhook_delivery: recorded,
  webhook_replay: recorded,
  wipe_history: recorded,
  wipe_player: recorded,
  wipe_retention: recorded,
};

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database.drop();
});

interface Column {
  table: string;
  column: string;
}

const columnsOfTenants = () =>
  database.query<Column>(
    `select c.relname as table, a.attname as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and exists (select from pg_attribute l where l.attrelid = c.oid and l.attname = 'license_id' and not l.attisdropped)
     order by 1, 2`,
  );

it('every table with license_id is exported or excluded for a reason, never both', async () => {
  const tables = new Set((await columnsOfTenants()).map(({ table }) => table));
  const undecided = [...tables].filter((table) => table in carried === table in left);
  expect(undecided).toEqual([]);
  expect([...Object.keys(carried), ...Object.keys(left)].filter((table) => !tables.has(table))).toEqual([]);
});

it('every column of an exported table is in the document or excluded for a reason', async () => {
  const columns = await columnsOfTenants();
  const undecided = columns.filter(({ table, column }) => {
    const found = carried[table];
    if (found === undefined || everywhere.includes(column)) return false;
    return found.columns.includes(column) === column in (found.left ?? {});
  });
  expect(undecided.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
});

it('every part of the document exports some table', () => {
  const parts = Object.keys(contract.components.schemas['MigrationParts']?.properties ?? {});
  const carrying = new Set(Object.values(carried).map(({ part }) => part));
  expect(parts.filter((part) => !carrying.has(part))).toEqual([]);
});
