// The moments at which the clock of a sandbox stops on its way.
import { sql } from 'kysely';
import type { Schemas } from '../../platform-contract/types.ts';
import { renewingStatuses } from '../modules/ownership.ts';
import { isUndelivered, orderEndsAt } from '../store/deliveries/expiry.ts';

/** Moments of the same time that one step reports; all of them are handled. */
const maxMomentsAtOnce = 1_000;

export interface Moment {
  at: string;
  kind: Schemas['SandboxMomentKind'];
  id: string;
}

/** What is due at the earliest time between two times of a license. */
export const dueMoments = (licenseId: string, afterMs: number, untilMs: number) => sql<Moment>`
  with due as (
    select next_run_at as at, 'schedule_run' as kind, id from schedule where license_id = ${licenseId}
    union all
    select next_announcement_at, 'schedule_announcement', id from schedule where license_id = ${licenseId}
    union all
    select period_end, 'subscription_charge', id from subscription
    where license_id = ${licenseId} and module_id is not null and status = any(${renewingStatuses})
    union all
    select ${sql.raw(orderEndsAt)} + interval '1 second', 'order_expiry', id from store_order
    where license_id = ${licenseId} and status = 'pending'
    union all
    select expires_at + interval '1 second', 'delivery_expiry', id from store_delivery
    where license_id = ${licenseId} and ${sql.raw(isUndelivered)}
    union all
    select until, 'ban_end', id from player_action
    where license_id = ${licenseId} and kind = 'ban' and ended_at is null and until is not null
    union all
    select next_milestone_at, 'simulation_step', host_id from simulated_host where license_id = ${licenseId}
  ), next as (
    select min(at) as at from due where at > ${new Date(afterMs)} and at <= ${new Date(untilMs)}
  )
  select at, kind, id from due join next using (at) order by kind, id limit ${maxMomentsAtOnce}`;
