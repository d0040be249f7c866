// Exports all stored data of a license line by line; no transaction stays open while the client reads.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Queries } from '../../database/reader.ts';
import { paginate } from '../../lists/row-batches.ts';
import { pointsAfter, type PointsPosition } from '../../packed-stats/points.ts';

interface Source {
  /** The table's name in the export. */
  name: string;
  /** The relation to read from; the default is `name`. */
  from?: string;
  /** Columns that identify a row within a license, in the order of an index. */
  key: readonly [string, ...string[]];
  /** Columns that are never exported. */
  secrets?: readonly string[];
  /** Reads all rows; the default is to read the relation in the order of `key`. */
  rows?: (ctx: Ctx, checkAccess: () => Promise<void>) => AsyncGenerator<Row>;
}

export const sources: readonly Source[] = [
  { name: 'license', key: ['id'], secrets: ['companion_token_hash', 'former_companion_token_hash'] },
  { name: 'license_activity', key: ['id'] },
  { name: 'former_subdomain', key: ['subdomain'] },
  { name: 'reseller_license', key: ['id'], secrets: ['sealed_secrets'] },
  { name: 'role', key: ['id'] },
  { name: 'membership', key: ['id'] },
  { name: 'member_account', from: 'member_accounts()', key: ['user_id'] },
  { name: 'invitation', key: ['id'], secrets: ['token_hash'] },
  { name: 'agent_host', key: ['id'] },
  { name: 'instance_cluster', key: ['id'] },
  { name: 'game_instance', key: ['id'] },
  { name: 'instance_backup', key: ['instance_id', 'id'] },
  { name: 'backup_policy', key: ['instance_id'] },
  { name: 'site_config', key: ['license_id'] },
  { name: 'site_listing', key: ['instance_id'] },
  { name: 'server_connection', key: ['instance_id'] },
  { name: 'command', key: ['id'] },
  { name: 'stored_file', key: ['id'] },
  { name: 'map', key: ['id'], secrets: ['public_secret'] },
  { name: 'map_deployment', key: ['id'] },
  { name: 'plugin_config', key: ['id'] },
  { name: 'plugin_application', key: ['id'] },
  { name: 'module_purchase', key: ['id'] },
  { name: 'module_installation', key: ['id'] },
  { name: 'sandbox', key: ['license_id'] },
  { name: 'schedule', key: ['id'] },
  { name: 'schedule_run', key: ['id'] },
  { name: 'player_action', key: ['id'] },
  { name: 'wipe_history', key: ['id'] },
  { name: 'event_log', key: ['recorded_at', 'seq'] },
  { name: 'webhook', key: ['id'], secrets: ['secret', 'previous_secret'] },
  { name: 'webhook_delivery', key: ['webhook_id', 'id'] },
  { name: 'webhook_replay', key: ['id'] },
  { name: 'alert_config', key: ['license_id'] },
  { name: 'alert', key: ['id'] },
  { name: 'notification_channel', key: ['id'], secrets: ['target'] },
  { name: 'notification', key: ['channel_id', 'id'] },
  { name: 'api_key', key: ['id'], secrets: ['secret_hash'] },
  { name: 'api_key_deprecated_use', key: ['api_key_id', 'operation'] },
  { name: 'subscription', key: ['id'] },
  { name: 'subscription_event', key: ['id'] },
  { name: 'store_account', key: ['id'], secrets: ['secret_key', 'webhook_secret'] },
  { name: 'store_category', key: ['id'] },
  { name: 'store_config', key: ['license_id'] },
  { name: 'store_delivery', key: ['id'] },
  { name: 'store_item', key: ['id'] },
  { name: 'store_item_instance', key: ['item_id', 'instance_id'] },
  { name: 'store_item_requirement', key: ['item_id', 'required_item_id'] },
  { name: 'store_order', key: ['id'], secrets: ['source_hash'] },
  { name: 'store_order_line', key: ['id'] },
  { name: 'store_payment_event', key: ['id'] },
  { name: 'instance_run', key: ['instance_id', 'from_at'] },
  { name: 'instance_state_interval', key: ['instance_id', 'from_at'] },
  { name: 'instance_stats', key: ['instance_id', 'recorded_at'], rows: everyPoint },
  { name: 'instance_stats_5m', key: ['instance_id', 'bucket_at', 'map_id'] },
  { name: 'instance_stats_hour', key: ['instance_id', 'bucket_at', 'map_id'] },
  { name: 'instance_stats_day', key: ['instance_id', 'bucket_at', 'map_id'] },
  { name: 'played_map', key: ['key'] },
  { name: 'player', key: ['steam_id'] },
  { name: 'player_name', key: ['steam_id', 'name'] },
  { name: 'player_event', key: ['event_id', 'occurred_at'] },
  { name: 'player_session', key: ['instance_id', 'steam_id', 'started_at'] },
  { name: 'map_day', key: ['instance_id', 'day', 'map_id'] },
  { name: 'map_month', key: ['month', 'map_id'] },
  { name: 'player_day', key: ['scope_id', 'steam_id', 'day'] },
  { name: 'player_day_count', key: ['scope_id', 'day'] },
  { name: 'player_return', key: ['scope_id', 'day', 'gap'] },
  { name: 'session_day', key: ['scope_id', 'day', 'length_class'] },
  { name: 'session_quarter', key: ['scope_id', 'quarter_at'] },
  { name: 'wipe_player', key: ['wipe_id', 'steam_id'] },
  { name: 'wipe_retention', key: ['wipe_id'] },
  { name: 'audit_entry', key: ['id'] },
];

/**
 * Tables of licenses that are not exported: short-lived queues and tickets, the bookkeeping of periodic jobs, of counts
 * and of simulations, the empty table through which former programs record events, and packed stats, which are exported
 * as rows of `instance_stats`.
 */
export const notExported: readonly string[] = [
  'alert_round',
  'archived_month',
  'archived_player',
  'console_ticket',
  'domain_event',
  'enrolment_code',
  'event_draft',
  'event_relay',
  'event_sequence',
  'instance_stats_due',
  'instance_stats_packed',
  'license_count',
  'license_count_change',
  'map_month_end',
  'map_sighting',
  'player_session_due',
  'session_change',
  'simulated_host',
];

type Row = Record<string, unknown>;

/** The lines of an export. `checkAccess` throws once the caller has lost access. */
export async function* exportLines(ctx: Ctx, checkAccess: () => Promise<void>): AsyncGenerator<string> {
  for (const source of sources) {
    const rows =
      source.rows?.(ctx, checkAccess) ??
      paginate<Row>(checkAccess, (last, count) =>
        ctx.read((queries) => rowsAfter(queries, source, last, count)),
      );
    for await (const row of rows)
      yield `${JSON.stringify({ table: source.name, row: shown(row, source) })}\n`;
  }
  yield `${JSON.stringify({ end: true })}\n`;
}

/** The rows of `instance_stats`, those that are packed included. */
async function* everyPoint(ctx: Ctx, checkAccess: () => Promise<void>): AsyncGenerator<Row> {
  let position: PointsPosition | undefined;
  do {
    await checkAccess();
    const { points, next } = await ctx.read((queries) => pointsAfter(queries, ctx.licenseId, position));
    yield* points.map((point) => ({ ...point }));
    position = next;
  } while (position !== undefined);
}

async function rowsAfter(
  queries: Queries,
  source: Source,
  last: Row | undefined,
  count: number,
): Promise<Row[]> {
  const { name, from = name, key } = source;
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const after =
    last === undefined ? sql`` : sql`where (${columns}) > (${sql.join(key.map((column) => last[column]))})`;
  const { rows } = await sql<{ row: Row }>`
    select to_jsonb(stored_row) as row from ${sql.raw(from)} as stored_row ${after}
    order by ${columns} limit ${count}`.execute(queries);
  return rows.map(({ row }) => row);
}

function shown(row: Row, { secrets = [] }: Source): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !secrets.includes(column)));
}
