// Licenses with servers, players and a history, for which no work is due.
import type { TestDatabase } from './database.ts';

/** An id that names its kind and the number of its license. */
const id = (kind: number, number = 'n') =>
  `('${kind}0000000-0000-4000-8000-' || lpad(${number}::text, 12, '0'))::uuid`;
const license = id(1);
const host = id(2);
const instance = id(3);
const webhook = id(4);
const channel = id(5);
const schedule = id(6);
const order = id(7);
const line = id(8);
const user = id(9);

interface Table {
  table: string;
  columns: string;
  values: string;
  /** Rows of each license; their number is `k`. */
  rows?: number;
}

const past = `now() - k * interval '3 hours'`;
const steam = `'7656119796028' || lpad(k::text, 4, '0')`;
const stats = '12, 12, 12, 120, 5, 15, 12, 600, 40, 12, 12000, 1000';
const statsColumns = `samples, running_samples, players_samples, players_sum, players_min, players_max, fps_samples, fps_sum,
  fps_min, entities_samples, entities_sum, entities_max`;

const tables: readonly Table[] = [
  {
    table: 'license',
    columns: 'id, key, name, subdomain, companion_token_hash',
    values: `${license}, 'k' || n, 'n' || n, 's' || n, 'c' || n`,
  },
  { table: 'user_account', columns: 'id, email', values: `${user}, 'u' || n || '@example.com'` },
  {
    table: 'user_session',
    columns: 'id, user_id, created_at',
    values: `${user}, ${user}, now() - interval '3 days'`,
  },
  {
    table: 'refresh_token',
    columns: 'token_hash, session_id, expires_at',
    values: `'t' || n || ' ' || k, ${user}, now() + interval '20 days'`,
    rows: 10,
  },
  {
    table: 'idempotency_record',
    columns: 'key_hash, request_hash, sealed_answer',
    values: `'i' || n || ' ' || k, '', ''`,
    rows: 10,
  },
  { table: 'sent_mail', columns: 'id', values: 'uuidv7()', rows: 10 },
  { table: 'former_subdomain', columns: 'subdomain, license_id', values: `'f' || n, ${license}` },
  {
    table: 'invitation',
    columns: 'license_id, email, invited_by, token_hash, expires_at, ended_at',
    values: `${license}, 'i' || k || '@example.com', ${user}, 'i' || n || ' ' || k, now(), now()`,
    rows: 10,
  },
  // Evaluated just now.
  { table: 'alert_round', columns: 'license_id, begun_at', values: `${license}, now() + interval '1 hour'` },
  {
    table: 'agent_host',
    columns: 'id, license_id, hostname, platform, agent_version, bus_public_key, status, last_heartbeat_at',
    values: `${host}, ${license}, 'host', 'linux-x64', '1.0.0', 'b' || n, 'online', now() + interval '1 hour'`,
  },
  {
    table: 'game_instance',
    columns: 'id, license_id, host_id, name, state, state_at',
    values: `${instance}, ${license}, ${host}, 'main', 'running', now()`,
  },
  {
    table: 'instance_state_interval',
    columns: 'license_id, instance_id, from_at, to_at, state',
    values: `${license}, ${instance}, ${past}, ${past} + interval '1 hour', 'running'`,
    rows: 10,
  },
  {
    table: 'command',
    columns:
      'license_id, host_id, instance_id, kind, status, created_at, sent_at, acknowledged_at, finished_at, expires_at',
    values: `${license}, ${host}, ${instance}, 'start', 'succeeded', ${past}, ${past}, ${past}, ${past}, ${past}`,
    rows: 10,
  },
  {
    table: 'player_action',
    columns: 'license_id, instance_id, instance_name, kind, steam_id, status, finished_at, until',
    values: `${license}, ${instance}, 'main', 'ban', ${steam}, 'succeeded', now(), case k % 2 when 0 then now() + interval '1 year' end`,
    rows: 10,
  },
  {
    table: 'schedule',
    columns: 'id, license_id, instance_id, name, action, cron, time_zone, next_run_at, created_by',
    values: `${schedule}, ${license}, ${instance}, 'daily', '{}', '0 4 * * *', 'UTC', now() + interval '1 day', 'a player'`,
  },
  {
    table: 'schedule_run',
    columns: 'license_id, schedule_id, due_at, status, created_at, finished_at',
    values: `${license}, ${schedule}, ${past}, 'succeeded', ${past}, ${past}`,
    rows: 10,
  },
  {
    table: 'plugin_application',
    columns: 'license_id, kind, instance_id, status, created_at, finished_at',
    values: `${license}, 'gather', ${instance}, 'succeeded', ${past}, ${past}`,
    rows: 10,
  },
  {
    table: 'wipe_history',
    columns:
      'license_id, host_id, instance_id, instance_name, kind, countdown_seconds, with_backup, with_start, status, finished_at',
    values: `${license}, ${host}, ${instance}, 'main', 'map', 0, false, true, 'completed', ${past}`,
    rows: 10,
  },
  {
    table: 'webhook',
    columns: 'id, license_id, name, url, events, secret',
    values: `${webhook}, ${license}, 'all', 'https://example.com/', '{host.offline}', ''`,
  },
  {
    table: 'webhook_delivery',
    columns: 'license_id, webhook_id, event, body, status, next_attempt_at, finished_at',
    values: `${license}, ${webhook}, 'host.offline', '{}', 'succeeded', null, now()`,
    rows: 10,
  },
  {
    table: 'webhook_replay',
    columns: 'license_id, webhook_id, kind, status, from_at, after_at, finished_at',
    values: `${license}, ${webhook}, 'replay', 'finished', now(), now(), now()`,
  },
  {
    table: 'event_log',
    columns: 'license_id, seq, recorded_at, id, type, subject_type, subject_id, occurred_at, data',
    values: `${license}, k, now(), uuidv7(), 'host.offline', 'host', ${host}, now(), '{}'`,
    rows: 10,
  },
  {
    table: 'event_sequence',
    columns: 'license_id, last_seq, last_id, last_at',
    values: `${license}, 10, uuidv7(), now()`,
  },
  { table: 'event_relay', columns: 'license_id, seq, at', values: `${license}, 10, now()` },
  {
    table: 'alert',
    columns:
      'license_id, kind, severity, subject_id, subject_name, host_id, host_name, metadata, raised_at, ended_at, end_reason',
    values: `${license}, 'host_down', 'Critical', ${host}, 'host', ${host}, 'host', '{}', ${past}, ${past}, 'recovered'`,
    rows: 10,
  },
  {
    table: 'notification_channel',
    columns: 'id, license_id, name, kind, destination, target',
    values: `${channel}, ${license}, 'all', 'ntfy', 'example.com', ''`,
  },
  {
    table: 'notification',
    columns: 'license_id, channel_id, event, status, next_attempt_at, finished_at',
    values: `${license}, ${channel}, 'test', 'succeeded', null, now()`,
    rows: 10,
  },
  {
    table: 'store_account',
    columns: 'license_id, provider, secret_key, webhook_secret, is_test',
    values: `${license}, 'stripe', '', '', true`,
  },
  {
    table: 'store_order',
    columns:
      'id, license_id, steam_id, provider, is_test, status, currency, total_minor, expires_at, paid_at',
    values: `${order}, ${license}, '76561197960287930', 'sandbox', true, 'paid', 'USD', 100, now(), now()`,
  },
  {
    table: 'store_order_line',
    columns:
      'id, license_id, order_id, item_name, unit_minor, quantity, instance_ids, delivery_commands, revoke_commands, needs_online_player, repeats_after_wipe, delivery_days',
    values: `${line}, ${license}, ${order}, 'VIP', 100, 20, '[]', '[]', '[]', false, false, 30`,
  },
  {
    table: 'store_payment_event',
    columns: 'license_id, order_id, provider, event_id, kind, outcome, received_at',
    values: `${license}, ${order}, 'stripe', 'e' || k, 'paid', 'applied', ${past}`,
    rows: 10,
  },
  {
    table: 'store_delivery',
    columns:
      'license_id, order_id, line_id, instance_id, instance_name, steam_id, kind, unit, status, next_attempt_at, expires_at, finished_at',
    values: `${license}, ${order}, ${line}, ${instance}, 'main', '76561197960287930', 'delivery', k, 'delivered', null, now(), now()`,
    rows: 10,
  },
  {
    table: 'stored_file',
    columns: 'license_id, kind, state, created_at',
    values: `${license}, 'maps', 'kept', ${past}`,
    rows: 5,
  },
  {
    table: 'player',
    columns: 'license_id, steam_id, name, first_seen_at, last_seen_at',
    values: `${license}, ${steam}, 'a player', ${past}, ${past}`,
    rows: 10,
  },
  {
    table: 'player_event',
    columns: 'license_id, event_id, occurred_at, instance_id, steam_id, kind, display_name',
    values: `${license}, 'e' || k, ${past}, ${instance}, ${steam}, 'join', 'a player'`,
    rows: 10,
  },
  // A player is online now.
  {
    table: 'player_session',
    columns: 'license_id, instance_id, steam_id, started_at, ended_at, last_sign_at, has_join, end_reason',
    values: `${license}, ${instance}, ${steam}, ${past}, case when k > 1 then ${past} + interval '1 hour' end, ${past}, true, case when k > 1 then 'leave' end`,
    rows: 10,
  },
  { table: 'played_map', columns: 'license_id, key, name', values: `${license}, 'island', 'Island'` },
  {
    table: 'map_month_end',
    columns: 'license_id, summed_up_to',
    values: `${license}, date_trunc('month', now() - interval '2 days')`,
  },
  {
    table: 'map_day',
    columns: 'license_id, instance_id, map_id, day, slots',
    values: `${license}, ${instance}, ${instance}, current_date - k, repeat('1', 288)::varbit`,
    rows: 10,
  },
  {
    table: 'map_month',
    columns: 'license_id, map_id, month, slots, players_samples, players_sum',
    values: `${license}, ${instance}, date_trunc('month', current_date) - make_interval(months => k), 1, 1, 1`,
    rows: 5,
  },
  {
    table: 'session_day',
    columns: 'license_id, scope_id, day, length_class, sessions, milliseconds',
    values: `${license}, ${instance}, current_date - k, 1, 1, 1`,
    rows: 10,
  },
  {
    table: 'session_quarter',
    columns: 'license_id, scope_id, quarter_at, milliseconds',
    values: `${license}, ${instance}, ${past}, 1`,
    rows: 10,
  },
  {
    table: 'player_day',
    columns: 'license_id, scope_id, steam_id, day, sessions',
    values: `${license}, ${instance}, ${steam}, current_date - k, 1`,
    rows: 10,
  },
  {
    table: 'player_day_count',
    columns: 'license_id, scope_id, day, players, new_players',
    values: `${license}, ${instance}, current_date - k, 1, 1`,
    rows: 10,
  },
  {
    table: 'player_return',
    columns: 'license_id, scope_id, day, gap, players',
    values: `${license}, ${instance}, current_date - k, 1, 1`,
    rows: 10,
  },
  {
    table: 'wipe_retention',
    columns: 'license_id, wipe_id, instance_id, wiped_at, is_counted',
    values: `${license}, uuidv7(), ${instance}, ${past}, true`,
    rows: 10,
  },
  {
    table: 'instance_stats_5m',
    columns: `license_id, instance_id, bucket_at, map_id, is_rolled_up, ${statsColumns}`,
    values: `${license}, ${instance}, ${past}, ${instance}, true, ${stats}`,
    rows: 10,
  },
  {
    table: 'instance_stats_hour',
    columns: `license_id, instance_id, bucket_at, map_id, ${statsColumns}`,
    values: `${license}, ${instance}, ${past}, ${instance}, ${stats}`,
    rows: 10,
  },
  {
    table: 'instance_stats_due',
    columns: 'license_id, instance_id, hour_at, due_at',
    values: `${license}, ${instance}, date_trunc('hour', now(), 'UTC') - make_interval(hours => k), now() + interval '1 day'`,
    rows: 10,
  },
  {
    table: 'instance_stats_packed',
    columns: 'license_id, instance_id, hour_at, points',
    values: `${license}, ${instance}, date_trunc('hour', now(), 'UTC') - make_interval(hours => k), 'packed'`,
    rows: 10,
  },
  {
    table: 'instance_stats_day',
    columns: `license_id, instance_id, bucket_at, map_id, ${statsColumns}`,
    values: `${license}, ${instance}, ${past}, ${instance}, ${stats}`,
    rows: 10,
  },
];

/** Creates those numbered `first` to `last`, without the effects that their rows would normally have. */
export async function createIdleLicenses(database: TestDatabase, first: number, last: number): Promise<void> {
  for (const { table, columns, values, rows = 1 } of tables) {
    await database.query(`alter table ${table} disable trigger user`);
    await database.query(
      `insert into ${table} (${columns})
       select ${values} from generate_series($1::int, $2::int) as n cross join generate_series(1, $3::int) as k`,
      [first, last, rows],
    );
    await database.query(`alter table ${table} enable trigger user`);
  }
  await database.query('vacuum analyze');
}
