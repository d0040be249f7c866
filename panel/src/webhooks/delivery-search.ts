// Which deliveries the log of a webhook shows, as its address says.
import * as v from 'valibot';
import type { ReadInit } from '../api/operations.ts';
import { anyOf, valueOr } from '../shared/address-values.ts';

/** Milliseconds of each choice of a time. */
const spans = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const;

export const statuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const;

export const noFilters = { status: '', event: '', since: '' } as const;

export const deliverySearch = v.object({
  status: anyOf(statuses),
  event: valueOr(v.pipe(v.string(), v.regex(/^[a-z_.]{0,60}$/)), ''),
  since: anyOf(['hour', 'day', 'week']),
});

export type DeliverySearch = v.InferOutput<typeof deliverySearch>;

type Query = NonNullable<NonNullable<ReadInit<'/api/webhooks/{webhook_id}/deliveries'>['params']>['query']>;

/** The query of the list; `now` is fixed while the filters are, so that its key is. */
export const queryOf = ({ status, event, since }: DeliverySearch, now: number): Query => ({
  ...(status !== '' && { status }),
  ...(event !== '' && { event }),
  ...(since !== '' && { created_from: new Date(now - spans[since]).toISOString() }),
});
