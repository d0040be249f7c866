// The settings, payment providers and subscription of the store.
import { problemOf } from '../api/problem.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages, useRead } from '../api/reading.ts';

export const useSettings = () => useRead('/api/webstore/config');

export const useProviders = () => useRead('/api/webstore/providers');

export const useCategories = () => usePages('/api/webstore/categories', {}, { all: true });

export const useItems = () => usePages('/api/webstore/items', {}, { all: true });

/** `null` for a license that has never subscribed. */
export function useSubscription() {
  const asked = useRead('/api/webstore/subscription');
  const { error, isFetching, refetch } = asked;
  const isNone = asked.data === undefined && problemOf(error)?.status === 404;
  const data: Schemas['StoreSubscription'] | null | undefined = isNone ? null : asked.data;
  return { data, error: isNone ? null : error, isFetching, refetch };
}

/** Whether a subscription can still be cancelled; otherwise a new one can be started. */
export const isLive = ({ status }: Schemas['StoreSubscription']): boolean =>
  status === 'trialing' || status === 'active' || status === 'past_due';

export const byPosition = (one: { position: number }, other: { position: number }): number =>
  one.position - other.position;
