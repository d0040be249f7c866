// Which modules a license owns: those it paid for once, and those with a subscription that runs.
import { sql, type RawBuilder } from 'kysely';
import type { Subscription } from '../../entities/index.ts';

/** Statuses of a subscription that renews itself; a license has one such subscription to a module at most. */
export const renewingStatuses: Subscription['status'][] = ['trialing', 'active', 'past_due'];

/** Holds for rows of `subscription`, under that alias, whose module may be used. */
export const grantsModule = (alias: string): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${alias}.module_id`)} is not null and (
    ${sql.ref(`${alias}.status`)} in ('trialing', 'active', 'past_due')
    or ${sql.ref(`${alias}.status`)} = 'cancelled' and ${sql.ref(`${alias}.ends_at`)} > now()))`;

/** Holds for rows of `module` that the license owns, as far as the query may see its rows. */
export const isOwned: RawBuilder<boolean> = sql<boolean>`(
  exists (select from module_purchase as paid where paid.module_id = module.id and paid.subscription_id is null)
  or exists (select from subscription as running where running.module_id = module.id and ${grantsModule('running')}))`;
