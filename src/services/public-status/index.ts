// The public status, cached for a few seconds per page regardless of the number of requests.
import { LRUCache } from 'lru-cache';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import { SharedReply } from '../../results/results.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { notFound } from '../../errors.ts';
import { readActiveServers, type ServerCounts } from '../../platform-counts/counts.ts';
import type { Page } from '../../lists/page.ts';
import { DueTimes } from '../schedules/due-times.ts';
import {
  publicLicense,
  shownServers,
  uptimesOf,
  wipesOf,
  type PublicLicenseRow,
  type ShownRow,
  type UptimeRow,
  type WipesRow,
} from './figures.ts';

export interface PublicServer extends ShownRow {
  uptime: UptimeRow | undefined;
  wipes: WipesRow | undefined;
  /** Null if unknown. */
  nextWipe: string | null;
}

export interface PublicStatusPage extends Page<PublicServer> {
  /** Totals over all active licenses but sandboxes, whether or not they are listed. */
  health: ServerCounts;
  license: PublicLicenseRow;
}

type StatusQuery = Query<'getPublicStatus'>;
type Reply = SharedReply<Schemas['StatusPageResponse']>;
type View = (page: PublicStatusPage) => Schemas['StatusPageResponse'];

export const keptSeconds = 5;
/** Limits of the page cache. */
const maxKept = { max: 1_000, maxSize: 16 * 1024 * 1024 };

export class PublicStatus {
  readonly #platform: PlatformScope;
  readonly #dueTimes = new DueTimes();
  readonly #replies: LRUCache<string, Reply, { query: StatusQuery; view: View }>;
  readonly #health: LRUCache<'platform', ServerCounts>;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
    const ttl = keptSeconds * 1000 - platform.maxLagMs;
    const kept = { ttl, ignoreFetchAbort: true, allowStaleOnFetchAbort: true } as const;
    this.#replies = new LRUCache({
      ...maxKept,
      ...kept,
      sizeCalculation: ({ content }: Reply) => content.plain.length,
      fetchMethod: async (_key, _stale, { context: { query, view } }) =>
        new SharedReply(view(await this.#read(query)), keptSeconds),
    });
    this.#health = new LRUCache({
      max: 1,
      ...kept,
      fetchMethod: () => this.#platform.readLagging('public', readActiveServers),
    });
  }

  /** Returns the shared page; concurrent requests during a computation wait for the same result. */
  async get(query: StatusQuery, view: View): Promise<Reply> {
    const { subdomain, limit, cursor } = query;
    const key = JSON.stringify([subdomain, limit, cursor]);
    return this.#replies.forceFetch(key, { context: { query, view } });
  }

  async #read(query: StatusQuery): Promise<PublicStatusPage> {
    const [health, page] = await Promise.all([
      this.#health.forceFetch('platform'),
      this.#platform.readLagging('public', async (queries) => {
        const { subdomain } = query;
        const license = subdomain === undefined ? undefined : await publicLicense(queries, subdomain);
        if (subdomain !== undefined && license === undefined) throw notFound('status page');
        const { rows, nextCursor } = await shownServers(queries, query);
        const uptimes = new Map((await uptimesOf(queries, rows)).map((row) => [row.instance_id, row]));
        const wipes = new Map((await wipesOf(queries, rows)).map((row) => [row.instance_id, row]));
        return {
          license,
          rows: rows.map((row) => ({ ...row, uptime: uptimes.get(row.id), wipes: wipes.get(row.id) })),
          nextCursor,
        };
      }),
    ]);
    const now = new Date();
    const rows = page.rows.map((row) => ({ ...row, nextWipe: this.#nextWipe(row, now) }));
    return { ...page, health, rows };
  }

  /** The end of a running countdown; otherwise the announced wipe or the next scheduled one, whichever is earlier. */
  #nextWipe(
    { wipe_cron: cron, wipe_time_zone: timeZone, wipes }: ShownRow & Pick<PublicServer, 'wipes'>,
    now: Date,
  ): string | null {
    if (wipes?.due_at) return wipes.due_at;
    const reported = cron === null || timeZone === null ? [] : this.#dueTimes.after(now, { cron, timeZone });
    const brought = wipes?.scheduled_at ? [new Date(wipes.scheduled_at)] : [];
    const [next] = [...reported.slice(0, 1), ...brought].sort((a, b) => a.getTime() - b.getTime());
    return next?.toISOString() ?? null;
  }
}
