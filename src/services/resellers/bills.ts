// Bills of resellers: worked out from the record of when licenses were active, and recorded once a month is over.
import { sql, type RawBuilder } from 'kysely';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { Queries } from '../../database/reader.ts';
import { ResellerBill } from '../../entities/index.ts';
import {
  activeDays,
  monthAfter,
  monthNamed,
  shareOf,
  within,
  type Month,
  type Period,
} from './arithmetic.ts';

/** By then whatever had begun before the month's end is over. */
const settledMs = 60 * 60_000;

export interface BillLine {
  id: string;
  license_id: string;
  server_id: string;
  hostname: string;
  customer_email: string;
  activeDays: number;
  /** In hundredths of the bill's currency. */
  amount: number;
  /** `to` is `null` while it lasts. */
  active: { from: string; to: string | null }[];
}

export interface Bill {
  month: Month;
  /** When it was recorded for good. */
  recordedAt: string | null;
  isProvisional: boolean;
  rate: number;
  currency: string;
  activeDays: number;
  total: number;
  lines: BillLine[];
}

/** What the month costs the reseller, as far as it is over. What was recorded comes to the same, or it throws. */
export async function billOf(queries: Queries, resellerId: string, name: string, now: Date): Promise<Bill> {
  const month = monthNamed(name);
  const { amount: rate, currency } = await rateOf(queries, resellerId, name);
  const lines = (await activityOf(queries, resellerId, month))
    .map((license) => lineOf(license, { month, rate, nowMs: now.getTime() }))
    .filter((line) => line.activeDays > 0);
  const recorded = await queries
    .selectFrom('reseller_bill')
    .select(['total', 'recorded_at'])
    .where('reseller_id', '=', resellerId)
    .where('month', '=', name)
    .executeTakeFirst();
  const total = sumOf(lines.map(({ amount }) => amount));
  if (recorded !== undefined && recorded.total !== total)
    throw new Error(`the bill of ${resellerId} for ${name} comes to ${total}, not ${recorded.total}`);
  return {
    month,
    recordedAt: recorded?.recorded_at ?? null,
    isProvisional:
      recorded === undefined && (lines.length > 0 || month.endMs > (await cameAt(queries, resellerId))),
    rate,
    currency,
    activeDays: sumOf(lines.map((line) => line.activeDays)),
    total,
    lines,
  };
}

/** What was over before the reseller came is never recorded: nothing can come of it. */
async function cameAt(queries: Queries, resellerId: string): Promise<number> {
  const { created_at } = await queries
    .selectFrom('reseller')
    .select('created_at')
    .where('id', '=', resellerId)
    .executeTakeFirstOrThrow();
  return Date.parse(created_at);
}

/** The rate that a month has: the latest that applies from it or from an earlier one, or else the first there was. */
export async function rateOf(queries: Queries, resellerId: string, month: string) {
  const { rows } = await rateOfMonth(sql`${resellerId}::uuid`, month).execute(queries);
  const [rate] = rows;
  if (rate === undefined) throw new Error(`reseller ${resellerId} has no rate`);
  return rate;
}

/** The same as a query of one row, for a reseller that the query around it names. */
export const rateOfMonth = (resellerId: RawBuilder<unknown>, month: string) => sql<{
  amount: number;
  currency: string;
}>`select amount, currency from reseller_rate where reseller_id = ${resellerId}
  order by from_month <= ${month} desc, case when from_month <= ${month} then from_month end desc,
    case when from_month <= ${month} then id end desc, id limit 1`;

type Activity = Awaited<ReturnType<typeof activityOf>>[number];

/** Each license that was active before the month's end, with every period of it that had not ended before its start. */
async function activityOf(queries: Queries, resellerId: string, { startMs, endMs }: Month) {
  const [start, end] = [new Date(startMs).toISOString(), new Date(endMs).toISOString()];
  return queries
    .with('change', (db) =>
      db
        .selectFrom('reseller_license as sold')
        .innerJoin('license_activity as activity', 'activity.license_id', 'sold.license_id')
        .select([
          'sold.id',
          'activity.is_active',
          'activity.changed_at as from_at',
          sql<string | null>`lead(activity.changed_at)
            over (partition by sold.id order by activity.changed_at, activity.id)`.as('to_at'),
        ])
        .where('sold.reseller_id', '=', resellerId),
    )
    .selectFrom('reseller_license as sold')
    .innerJoin('change', 'change.id', 'sold.id')
    .select([
      'sold.id',
      'sold.license_id',
      'sold.server_id',
      'sold.hostname',
      'sold.customer_email',
      sql<
        { from: number; to: number | null }[]
      >`json_agg(json_build_object('from', extract(epoch from from_at) * 1000,
        'to', extract(epoch from to_at) * 1000) order by from_at)`.as('periods'),
    ])
    .where('change.is_active', '=', true)
    .where('change.from_at', '<', end)
    .where(sql<boolean>`(change.to_at is null or change.to_at >= ${start})`)
    .groupBy('sold.id')
    .orderBy('sold.id')
    .execute();
}

function lineOf(
  { periods, ...license }: Activity,
  { month, rate, nowMs }: { month: Month; rate: number; nowMs: number },
): BillLine {
  // What lasts has lasted until now: not a moment longer is known.
  const known: Period[] = periods.map(({ from, to }) => ({
    fromMs: from,
    toMs: to ?? Math.max(nowMs, from),
  }));
  const active = within(known, month);
  const days = activeDays(active);
  const lastsSince = periods.find(({ to }) => to === null)?.from;
  const isOpen = ({ fromMs }: Period) =>
    lastsSince !== undefined && nowMs < month.endMs && fromMs === Math.max(lastsSince, month.startMs);
  return {
    ...license,
    activeDays: days,
    amount: shareOf(rate, days, month),
    active: active.map((period) => ({
      from: new Date(period.fromMs).toISOString(),
      to: isOpen(period) ? null : new Date(period.toMs).toISOString(),
    })),
  };
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Records what months have come to once they are over. */
export class ResellerBills {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /** Of any number of replicas that do it at once, one records each bill. */
  async record(now = new Date()): Promise<void> {
    for (const { reseller_id, month } of await this.#missing(now)) {
      await this.#platform.transact('jobs', async (em, queries) => {
        const { lines, activeDays: days, total, currency } = await billOf(queries, reseller_id, month, now);
        const row = {
          resellerId: reseller_id,
          month,
          licenseCount: lines.length,
          activeDays: days,
          total,
          currency,
        };
        await em.upsert(ResellerBill, row, {
          onConflictFields: ['resellerId', 'month'],
          onConflictAction: 'ignore',
        });
      });
    }
  }

  /** Every month that is over, since the reseller came, and that is not recorded. */
  async #missing(now: Date) {
    const over = monthAfter(new Date(now.getTime() - settledMs), -1);
    return this.#platform.read('jobs', async (queries) => {
      const { rows } = await sql<{ reseller_id: string; month: string }>`
        select reseller.id as reseller_id, to_char(started, 'YYYY-MM') as month
        from reseller, generate_series(date_trunc('month', reseller.created_at), ${`${over}-01`}::timestamptz,
          interval '1 month') as started
        where not exists (select from reseller_bill
          where reseller_id = reseller.id and month = to_char(started, 'YYYY-MM'))
        order by reseller.id, started`.execute(queries);
      return rows;
    });
  }
}
