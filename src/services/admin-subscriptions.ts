// Subscriptions of licenses, and the monthly recurring revenue from them and from the reseller program.
import { sql, type RawBuilder } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Query, Schemas } from '../platform-contract/types.ts';
import type { Queries } from '../database/reader.ts';
import { sumOfAmounts } from '../payments/money.ts';
import { chargedSubscriptions } from '../platform-counts/counts.ts';
import { byId, pageOf } from '../lists/page.ts';
import { rateOfMonth } from './resellers/bills.ts';
import { monthAfter } from './resellers/bill-arithmetic.ts';
import type { Administration } from './auth/administration.ts';

export type SubscriptionList = Awaited<ReturnType<AdminSubscriptions['list']>>;
export type SubscriptionRow = SubscriptionList['page']['rows'][number];

export interface RevenueRow {
  amount: string;
  currency: string;
}

export interface RevenueShareRow extends RevenueRow {
  kind: Schemas['RevenueKind'];
  reference: string;
  subscriptions: number;
}

export interface RecurringRevenue {
  total: RevenueRow[];
  byKind: (RevenueRow & Pick<RevenueShareRow, 'kind'>)[];
  breakdown: RevenueShareRow[];
}

type Filter = Pick<Query<'listSubscriptions'>, 'license_id' | 'kind' | 'status'>;

export class AdminSubscriptions {
  readonly #administration: Administration;

  constructor(administration: Administration) {
    this.#administration = administration;
  }

  /** Returns a page of subscriptions, and the revenue of all that match the filter. */
  async list(ctx: Ctx, { license_id, kind, status, ...page }: Query<'listSubscriptions'>) {
    return this.#administration.read(ctx, async (queries) => {
      let listed = queries
        .selectFrom('subscription')
        .innerJoin('license', 'license.id', 'subscription.license_id')
        .select([
          'subscription.id',
          'subscription.license_id',
          'license.name as license_name',
          'subscription.kind',
          'subscription.reference',
          'subscription.status',
          'subscription.amount',
          'subscription.currency',
          'subscription.period',
          'subscription.started_at',
          'subscription.ends_at',
          'subscription.cancelled_at',
          'subscription.created_at',
        ]);
      listed =
        license_id === undefined
          ? listed.where('license.is_sandbox', '=', false)
          : listed.where('subscription.license_id', '=', license_id);
      if (kind !== undefined) listed = listed.where(sql.ref('subscription.kind'), '=', kind);
      if (status !== undefined) listed = listed.where('subscription.status', '=', status);
      return {
        page: await pageOf(listed, page, byId('subscription.id', 'desc')),
        revenue: await recurringRevenue(queries, {
          ...(license_id !== undefined && { license_id }),
          ...(kind !== undefined && { kind }),
          ...(status !== undefined && { status }),
        }),
      };
    });
  }
}

/**
 * Monthly revenue of all matching subscriptions that are being charged. Only the breakdown is rounded; the totals are
 * its sums.
 */
export async function recurringRevenue(queries: Queries, filter: Filter = {}): Promise<RecurringRevenue> {
  const breakdown = await sharesOf(queries, filter);
  return {
    total: sumsBy(breakdown, ({ currency }) => ({ currency })),
    byKind: sumsBy(breakdown, ({ kind, currency }) => ({ kind, currency })),
    breakdown,
  };
}

async function sharesOf(queries: Queries, { license_id, kind, status }: Filter): Promise<RevenueShareRow[]> {
  const all: RawBuilder<boolean> = sql`true`;
  const ofLicense = license_id === undefined ? all : sql<boolean>`sold.license_id = ${license_id}`;
  const countsActive = status === undefined || status === 'active';
  const charged = license_id === undefined ? chargedSubscriptions : chargedOf(license_id);
  const { rows } = await sql<RevenueShareRow>`
    select kind, reference, currency, subscriptions, round(monthly, 2)::text as amount from (
      select kind, reference, currency, subscriptions, monthly from ${charged} as charged where ${sql.lit(countsActive)}
      union all
      select 'reseller', reseller.name, rate.currency, sum(units)::int, sum(units) * rate.amount / 100.0
      from reseller
      join reseller_license as sold on sold.reseller_id = reseller.id
      join license on license.id = sold.license_id and license.status = 'active'
      cross join lateral (${rateOfMonth(sql.ref('reseller.id'), monthAfter(new Date(), 0))}) as rate
      cross join lateral (
        select case rate.unit when 'license' then 1 else greatest(1, (
          select count(*) from game_instance as instance
          where instance.license_id = license.id and instance.state = 'running')) end as units
      ) as charged
      where ${sql.lit(countsActive)} and ${ofLicense}
      group by reseller.id, rate.amount, rate.currency
    ) as share
    where ${kind === undefined ? all : sql<boolean>`kind = ${kind}`}
    order by currency, monthly desc, kind, reference`.execute(queries);
  return rows;
}

/** The same of one license, from its rows. */
const chargedOf = (licenseId: string) => sql`(
  select kind, reference, currency, count(*)::int as subscriptions,
    sum(case period when 'year' then amount / 12 else amount end) as monthly
  from subscription
  join license on license.id = subscription.license_id and license.status = 'active' and not license.is_sandbox
  where subscription.status = 'active' and subscription.license_id = ${licenseId}
  group by kind, reference, currency
)`;

function sumsBy<Key extends { currency: string }>(
  shares: readonly RevenueShareRow[],
  keyOf: (share: RevenueShareRow) => Key,
): (Key & RevenueRow)[] {
  const groups = new Map<string, { key: Key; amounts: string[] }>();
  for (const share of shares) {
    const key = keyOf(share);
    const name = JSON.stringify(key);
    const group = groups.get(name) ?? { key, amounts: [] };
    group.amounts.push(share.amount);
    groups.set(name, group);
  }
  return [...groups.values()].map(({ key, amounts }) => ({ ...key, amount: sumOfAmounts(amounts) }));
}
