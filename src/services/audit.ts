// Reads the audit log of one license or of the whole platform; the database writes it.
import type { Ctx } from '../context.ts';
import type { Query, Schemas } from '../platform-contract/types.ts';
import type { Queries } from '../database/reader.ts';
import type { AccessRequirement, LastingAccess } from './auth/access-recheck.ts';
import { byId, everyRow, pageOf, refuseMoreThan, type Page, type PageQuery } from '../lists/page.ts';
import type { Administration } from './auth/administration.ts';

/** The API's resource name for the rows of each audited table. */
export const resourceOfTable: Readonly<Record<string, Schemas['AuditTargetType']>> = {
  agent_host: 'host',
  alert: 'alert',
  alert_config: 'alert_config',
  api_key: 'api_key',
  backup_policy: 'backup_policy',
  changelog_entry: 'release_note',
  command: 'command',
  enrolment_code: 'enrolment_code',
  game_instance: 'instance',
  instance_backup: 'backup',
  instance_cluster: 'cluster',
  invitation: 'invitation',
  license: 'license',
  map: 'map',
  map_deployment: 'map_deployment',
  membership: 'member',
  module: 'module',
  module_installation: 'module_installation',
  module_purchase: 'module_purchase',
  notification_channel: 'notification_channel',
  player_action: 'player_action',
  plugin_application: 'plugin_application',
  plugin_config: 'plugin_config',
  recovery_code: 'recovery_code',
  reseller: 'reseller',
  reseller_rate: 'reseller_rate',
  role: 'role',
  sandbox: 'sandbox',
  schedule: 'schedule',
  site_config: 'site_config',
  site_listing: 'site_listing',
  store_account: 'store_account',
  store_category: 'store_category',
  store_config: 'store_config',
  store_delivery: 'store_delivery',
  store_item: 'store_item',
  subscription: 'subscription',
  totp: 'second_factor',
  user_account: 'user',
  user_session: 'session',
  webhook: 'webhook',
  webhook_replay: 'webhook_replay',
  wipe_history: 'wipe',
};

/** Resource names by audit target, including targets that are not table rows. */
export const resourceOfTarget: typeof resourceOfTable = {
  ...resourceOfTable,
  instance_file: 'file',
  job: 'job',
};

/** Maximum entries per export. */
const maxExported = 100_000;

type Filter = Query<'listPlatformAuditEntries'>;

export type AuditRow = Awaited<ReturnType<typeof pageOfEntries>>['rows'][number];

/** Whether to read one page or all matches. */
type Extent = 'page' | 'everything';

export type AuditEntries = Page<AuditRow> | AsyncIterable<AuditRow>;

/** Reads within the caller's scope: one license, or the whole platform. */
type Read = <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;

const forLicense: AccessRequirement = { scheme: 'bearerAuth', permissions: ['audit.view'] };
const forPlatform: AccessRequirement = { scheme: 'superAdmin', permissions: [] };

export class AuditLog {
  readonly #administration: Administration;
  readonly #access: LastingAccess;

  constructor(administration: Administration, access: LastingAccess) {
    this.#administration = administration;
    this.#access = access;
  }

  /** Returns a page of the license's entries, or every matching entry. */
  async list(ctx: Ctx, query: Query<'listAuditEntries'>, extent: Extent): Promise<AuditEntries> {
    return this.#entries(ctx, query, extent, {
      read: (work) => (extent === 'page' ? ctx.read(work) : ctx.readLagging(work)),
      requirement: forLicense,
    });
  }

  /** Returns a page of the platform's entries, or every matching entry. */
  async listAll(ctx: Ctx, query: Filter, extent: Extent): Promise<AuditEntries> {
    return this.#entries(ctx, query, extent, {
      read: (work) => this.#administration.read(ctx, work),
      requirement: forPlatform,
    });
  }

  /** Streams all entries for as long as the caller has access; refuses at once if there are too many. */
  async #entries(
    ctx: Ctx,
    query: Filter,
    extent: Extent,
    { read, requirement }: { read: Read; requirement: AccessRequirement },
  ): Promise<AuditEntries> {
    if (extent === 'page') return read((queries) => pageOfEntries(queries, query));
    await read((queries) => refuseMoreThan(maxExported, entriesOf(queries, query), query.cursor, order));
    const readPage = async (page: PageQuery) => {
      await this.#access.refuseEnded(ctx, requirement);
      return read((queries) => pageOfEntries(queries, { ...query, ...page }));
    };
    return everyRow(readPage, query.cursor, maxExported);
  }
}

const order = byId<{ id: string }>('id', 'desc');

function pageOfEntries(queries: Queries, query: Filter) {
  return pageOf(entriesOf(queries, query), query, order);
}

function entriesOf(queries: Queries, query: Filter) {
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
  return entries;
}

function tableOf(resource: Schemas['AuditTargetType']): string {
  const [table] = Object.entries(resourceOfTarget).find(([, name]) => name === resource) ?? [];
  if (table === undefined) throw new Error(`the audit log knows nothing that is called ${resource}`);
  return table;
}
