// Which modules a license owns: one-time purchases and running subscriptions.
import { sql, type RawBuilder } from 'kysely';
import type { Subscription } from '../../entities/index.ts';

/** Statuses of a subscription that renews automatically; a license has at most one such subscription per module. */
export const renewingStatuses: Subscription['status'][] = ['trialing', 'active', 'past_due'];

/** True for rows of `subscription`, under that alias, that grant use of their module. */
export const grantsModule = (alias: string): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${alias}.module_id`)} is not null and (
    ${sql.ref(`${alias}.status`)} in ('trialing', 'active', 'past_due')
    or ${sql.ref(`${alias}.status`)} = 'cancelled' and ${sql.ref(`${alias}.ends_at`)} > license_now()))`;

/** True for rows of `module` that the license owns; row level security decides which purchases the query sees. */
export const isOwned: RawBuilder<boolean> = sql<boolean>`(
  exists (select from module_purchase as paid where paid.module_id = module.id and paid.subscription_id is null)
  or exists (select from subscription as running where running.module_id = module.id and ${grantsModule('running')}))`;
