// What licenses pay for, and what it brings in a month. All arithmetic with money is the database's, in decimals.
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Query } from '../contract-types.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import type { Queries } from '../database/reader.ts';
import { byId, pageOf } from './page.ts';

export type SubscriptionList = Awaited<ReturnType<AdminSubscriptions['list']>>;
export type SubscriptionRow = SubscriptionList['page']['rows'][number];
export type RevenueRow = Awaited<ReturnType<typeof recurringRevenue>>[number];
export type RevenueShareRow = SubscriptionList['breakdown'][number];

export class AdminSubscriptions {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /** A page of subscriptions, and the revenue of all that match the filter. */
  async list(_ctx: Ctx, { license_id, kind, status, ...page }: Query<'listSubscriptions'>) {
    return this.#platform.read('administration', async (queries) => {
      let chosen = queries.selectFrom('subscription');
      if (license_id !== undefined) chosen = chosen.where('subscription.license_id', '=', license_id);
      if (kind !== undefined) chosen = chosen.where('subscription.kind', '=', kind);
      if (status !== undefined) chosen = chosen.where('subscription.status', '=', status);
      const listed = chosen
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
      const paying = chosen.where('subscription.status', 'in', payingStates);
      return {
        page: await pageOf(listed, page, byId('subscription.id', 'desc')),
        total: await paying
          .select(['currency', monthly.as('amount')])
          .groupBy('currency')
          .orderBy('currency')
          .execute(),
        breakdown: await paying
          .select((eb) => [
            'kind',
            'reference',
            'currency',
            eb.fn.countAll<number>().as('subscriptions'),
            monthly.as('amount'),
          ])
          .groupBy(['kind', 'reference', 'currency'])
          .orderBy('currency')
          .orderBy(sql`sum(${monthlyPrice})`, 'desc')
          .orderBy('kind')
          .orderBy('reference')
          .execute(),
      };
    });
  }
}

const payingStates = ['active', 'past_due'] as const;

const monthlyPrice = sql`case subscription.period when 'year' then subscription.amount / 12 else subscription.amount end`;
/** Rounded once, at the end. */
const monthly = sql<string>`round(sum(${monthlyPrice}), 2)::text`;

/** What all subscriptions together bring in a month, by currency. */
export function recurringRevenue(queries: Queries) {
  return queries
    .selectFrom('subscription')
    .where('status', 'in', payingStates)
    .select(['currency', monthly.as('amount')])
    .groupBy('currency')
    .orderBy('currency')
    .execute();
}
