// Queries for the webstore subscriptions of a license.
import type { Queries } from '../../../database/reader.ts';
import type { Subscription } from '../../../entities/index.ts';
import { notFound } from '../../../errors.ts';
import { opensStore } from './openness.ts';

/** Statuses that at most one subscription of a license has. */
export const live: Subscription['status'][] = ['trialing', 'active', 'past_due'];

function subscriptions(queries: Queries, allowsSandbox: boolean) {
  return queries
    .selectFrom('subscription as own')
    .select([
      'own.id',
      'own.status',
      'own.provider',
      'own.amount',
      'own.currency',
      'own.period',
      'own.checkout_url',
      'own.confirmed_at',
      'own.started_at',
      'own.ends_at',
      'own.cancelled_at',
      'own.created_at',
      opensStore('own', allowsSandbox).as('opens_store'),
    ])
    .where('own.kind', '=', 'webstore');
}

/** The live subscription, or the one that was live last. */
export async function currentOf(queries: Queries, allowsSandbox: boolean) {
  const current = await subscriptions(queries, allowsSandbox)
    .orderBy((own) => own('own.status', 'in', live), 'desc')
    .orderBy('own.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (current === undefined) throw notFound('subscription');
  return current;
}

export async function subscriptionOf(queries: Queries, id: string, allowsSandbox: boolean) {
  const subscription = await subscriptions(queries, allowsSandbox)
    .where('own.id', '=', id)
    .executeTakeFirst();
  if (subscription === undefined) throw notFound('subscription');
  return subscription;
}
