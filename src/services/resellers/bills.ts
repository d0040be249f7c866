// Bills of resellers: computed from when licenses were active and instances ran, or read as recorded.
import { sql, type RawBuilder } from 'kysely';
import type { Queries } from '../../database/reader.ts';
import {
  monthNamed,
  shareOf,
  sumOf,
  usageOf,
  within,
  type BillingUnit,
  type Month,
  type Period,
  type Usage,
} from './bill-arithmetic.ts';

interface ActiveTime {
  from: string;
  /** `null` while the license is still active. */
  to: string | null;
}

/** Instance counts are `null` on bills that were recorded before instances were counted. */
type Counts = Omit<Usage, 'instanceCount' | 'instanceDays'> & {
  instanceCount: number | null;
  instanceDays: number | null;
};

export interface BillLine extends Counts {
  id: string;
  license_id: string;
  server_id: string;
  hostname: string;
  customer_email: string;
  /** In hundredths of the bill's currency. */
  amount: number;
  active: ActiveTime[];
}

export interface Bill extends Counts {
  month: Month;
  /** When the bill was recorded as final. */
  recordedAt: string | null;
  isProvisional: boolean;
  unit: BillingUnit;
  rate: number;
  currency: string;
  total: number;
  lines: BillLine[];
}

/** Returns the bill of a month: the recorded one, or else a computation up to now. */
export async function billOf(queries: Queries, resellerId: string, name: string, now: Date): Promise<Bill> {
  const month = monthNamed(name);
  const { amount: rate, currency, unit } = await rateOf(queries, resellerId, name);
  const recorded = await queries
    .selectFrom('reseller_bill')
    .select(['total', 'recorded_at', 'unit', 'instance_count', 'instance_days'])
    .where('reseller_id', '=', resellerId)
    .where('month', '=', name)
    .executeTakeFirst();
  const isOlder = recorded !== undefined && recorded.instance_days === null;
  const lines =
    recorded === undefined || isOlder
      ? await linesUpTo(queries, resellerId, { month, rate, unit, nowMs: now.getTime() })
      : await recordedLines(queries, resellerId, name);
  const total = sumOf(lines.map(({ amount }) => amount));
  if (recorded !== undefined && recorded.total !== total)
    throw new Error(`the bill of ${resellerId} for ${name} comes to ${total}, not ${recorded.total}`);
  return {
    month,
    recordedAt: recorded?.recorded_at ?? null,
    isProvisional:
      recorded === undefined && (lines.length > 0 || month.endMs > (await cameAt(queries, resellerId))),
    unit: recorded?.unit ?? unit,
    rate,
    currency,
    activeDays: sumOf(lines.map((line) => line.activeDays)),
    instanceCount: isOlder ? null : sumOf(lines.map((line) => line.instanceCount ?? 0)),
    instanceDays: isOlder ? null : sumOf(lines.map((line) => line.instanceDays ?? 0)),
    chargedDays: sumOf(lines.map((line) => line.chargedDays)),
    total,
    lines: isOlder ? lines.map((line) => ({ ...line, instanceCount: null, instanceDays: null })) : lines,
  };
}

/**
 * Returns the reseller's creation time. Months that ended earlier are never recorded, because they cannot have usage.
 */
async function cameAt(queries: Queries, resellerId: string): Promise<number> {
  const { created_at } = await queries
    .selectFrom('reseller')
    .select('created_at')
    .where('id', '=', resellerId)
    .executeTakeFirstOrThrow();
  return Date.parse(created_at);
}

/** Returns the rate of a month: the latest that applies from that month or an earlier one, or else the first one. */
export async function rateOf(queries: Queries, resellerId: string, month: string) {
  const { rows } = await rateOfMonth(sql`${resellerId}::uuid`, month).execute(queries);
  const [rate] = rows;
  if (rate === undefined) throw new Error(`reseller ${resellerId} has no rate`);
  return rate;
}

/** The rate as a subquery of one row, for a reseller that the enclosing query names. */
export const rateOfMonth = (resellerId: RawBuilder<unknown>, month: string) => sql<{
  amount: number;
  currency: string;
  unit: BillingUnit;
}>`select amount, currency, unit from reseller_rate where reseller_id = ${resellerId}
  order by from_month <= ${month} desc, case when from_month <= ${month} then from_month end desc,
    case when from_month <= ${month} then id end desc, id limit 1`;

async function recordedLines(queries: Queries, resellerId: string, month: string): Promise<BillLine[]> {
  return queries
    .selectFrom('reseller_bill_line as line')
    .innerJoin('reseller_license as sold', 'sold.id', 'line.reseller_license_id')
    .select([
      'sold.id',
      'sold.license_id',
      'sold.server_id',
      'sold.hostname',
      'sold.customer_email',
      'line.active_days as activeDays',
      'line.instance_count as instanceCount',
      'line.instance_days as instanceDays',
      'line.charged_days as chargedDays',
      'line.amount',
      'line.active',
    ])
    .where('line.reseller_id', '=', resellerId)
    .where('line.month', '=', month)
    .orderBy('sold.id')
    .execute();
}

interface Terms {
  month: Month;
  rate: number;
  unit: BillingUnit;
  nowMs: number;
}

async function linesUpTo(queries: Queries, resellerId: string, terms: Terms): Promise<BillLine[]> {
  const activity = await activityOf(queries, resellerId, terms.month);
  const runs = await runsOf(queries, resellerId, terms);
  return activity
    .map((license) => lineOf(license, runs.get(license.id) ?? [], terms))
    .filter((line) => line.activeDays > 0);
}

type Activity = Awaited<ReturnType<typeof activityOf>>[number];

/**
 * Returns each license that was active before the month's end, with every active period that did not end before its
 * start.
 */
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

/** Returns when each instance ran within the month, by sold license; includes deleted instances. */
async function runsOf(
  queries: Queries,
  resellerId: string,
  { month, nowMs }: Terms,
): Promise<Map<string, Period[][]>> {
  const [start, end] = [new Date(month.startMs).toISOString(), new Date(month.endMs).toISOString()];
  const { rows } = await sql<{ id: string; periods: { from: number; to: number | null }[] }>`
    select sold.id, json_agg(json_build_object('from', extract(epoch from run.from_at) * 1000,
      'to', extract(epoch from run.to_at) * 1000)) as periods
    from reseller_license as sold
    join lateral (
      select instance_id, from_at, to_at from instance_state_interval as known
      where known.license_id = sold.license_id and known.state = 'running'
        and known.from_at < ${end} and (known.to_at is null or known.to_at > ${start})
        and not exists (select from game_instance as instance where instance.license_id = known.license_id
          and instance.id = known.instance_id and instance.is_unconfirmed)
      union all
      select instance_id, from_at, to_at from instance_run as kept
      where kept.license_id = sold.license_id and kept.from_at < ${end} and kept.to_at > ${start}
    ) as run on true
    where sold.reseller_id = ${resellerId}
    group by sold.id, run.instance_id`.execute(queries);
  const runs = new Map<string, Period[][]>();
  for (const { id, periods } of rows) {
    const known = periods.map(({ from, to }) => ({ fromMs: from, toMs: to ?? Math.max(nowMs, from) }));
    runs.set(id, [...(runs.get(id) ?? []), within(known, month)]);
  }
  return runs;
}

function lineOf(
  { periods, ...license }: Activity,
  runs: readonly Period[][],
  { month, rate, unit, nowMs }: Terms,
): BillLine {
  // An open period is counted up to now and no further.
  const known: Period[] = periods.map(({ from, to }) => ({
    fromMs: from,
    toMs: to ?? Math.max(nowMs, from),
  }));
  const active = within(known, month);
  const usage = usageOf(active, runs, unit);
  const lastsSince = periods.find(({ to }) => to === null)?.from;
  const isOpen = ({ fromMs }: Period) =>
    lastsSince !== undefined && nowMs < month.endMs && fromMs === Math.max(lastsSince, month.startMs);
  return {
    ...license,
    ...usage,
    amount: shareOf(rate, usage.chargedDays, month),
    active: active.map((period) => ({
      from: new Date(period.fromMs).toISOString(),
      to: isOpen(period) ? null : new Date(period.toMs).toISOString(),
    })),
  };
}
