// The audit log as it is read: one license's, or the whole platform's. The database writes it.
import type { Ctx } from '../context.ts';
import type { Query, Schemas } from '../contract-types.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import type { Queries } from '../database/reader.ts';
import { byId, everyRow, pageOf, type Page } from './page.ts';

/** What the API calls the rows of each audited table. */
export const resourceOfTable: Readonly<Record<string, Schemas['AuditTargetType']>> = {
  agent_host: 'host',
  api_key: 'api_key',
  command: 'command',
  game_instance: 'instance',
  instance_cluster: 'cluster',
  invitation: 'invitation',
  license: 'license',
  membership: 'member',
  player_action: 'player_action',
  recovery_code: 'recovery_code',
  role: 'role',
  subscription: 'subscription',
  totp: 'second_factor',
  user_account: 'user',
  user_session: 'session',
};

/** Most entries of one export. */
const mostExported = 100_000;

type Filter = Query<'listPlatformAuditEntries'>;

export type AuditRow = Awaited<ReturnType<typeof pageOfEntries>>['rows'][number];

/** Reads within whatever the caller may see. */
type Read = <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;

export class AuditLog {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  async list(ctx: Ctx, query: Query<'listAuditEntries'>): Promise<Page<AuditRow>> {
    return ctx.read((queries) => pageOfEntries(queries, query));
  }

  /** Every entry of the license that matches, page after page. */
  export(ctx: Ctx, query: Query<'listAuditEntries'>): AsyncIterable<AuditRow> {
    return everyEntry((work) => ctx.read(work), query);
  }

  async listAll(_ctx: Ctx, query: Filter): Promise<Page<AuditRow>> {
    return this.#read((queries) => pageOfEntries(queries, query));
  }

  /** Every entry of the platform that matches, page after page. */
  exportAll(_ctx: Ctx, query: Filter): AsyncIterable<AuditRow> {
    return everyEntry((work) => this.#read(work), query);
  }

  readonly #read: Read = (work) => this.#platform.read('administration', work);
}

function everyEntry(read: Read, query: Filter): AsyncIterable<AuditRow> {
  return everyRow(
    (page) => read((queries) => pageOfEntries(queries, { ...query, ...page })),
    query.cursor,
    mostExported,
  );
}

function pageOfEntries(queries: Queries, query: Filter) {
  let entries = queries
    .selectFrom('audit_entry')
    .select([
      'id',
      'recorded_at',
      'license_id',
      'actor_kind',
      'actor_id',
      'actor_label',
      'operation',
      'action',
      'target_type',
      'target_id',
      'before',
      'after',
      'request_id',
      'source',
    ]);
  if (query.license_id !== undefined) entries = entries.where('license_id', '=', query.license_id);
  if (query.actor !== undefined) entries = entries.where('actor_id', '=', query.actor);
  if (query.target_type !== undefined)
    entries = entries.where('target_type', '=', tableOf(query.target_type));
  if (query.target_id !== undefined) entries = entries.where('target_id', '=', query.target_id);
  if (query.operation !== undefined) entries = entries.where('operation', '=', query.operation);
  if (query.action !== undefined) entries = entries.where('action', '=', query.action);
  if (query.from !== undefined) entries = entries.where('recorded_at', '>=', query.from);
  if (query.to !== undefined) entries = entries.where('recorded_at', '<', query.to);
  return pageOf(entries, query, byId('id', 'desc'));
}

function tableOf(resource: Schemas['AuditTargetType']): string {
  const [table] = Object.entries(resourceOfTable).find(([, name]) => name === resource) ?? [];
  if (table === undefined) throw new Error(`no table has rows that are called ${resource}`);
  return table;
}
