// The sandboxes whose clocks are ahead of real time and have passed something that is due.
import { sql } from 'kysely';
import { renewingStatuses } from '../modules/ownership.ts';
import { isRested, liftableAt } from '../players/ban-lifting.ts';
import { isUndelivered, orderEndsAt } from '../store/deliveries/expiry.ts';

/** Sandboxes that one run follows; the next run begins a second later, with others. */
const followedAtOnce = 50;

/** Sandboxes that are ahead of real time and have something to handle by their own clocks. */
export const sandboxesWithDueWork = sql<{ license_id: string }>`
  select sandbox.license_id from sandbox
  cross join lateral (select now() + clock_offset_ms * interval '1 millisecond' as at) as clock
  where clock_offset_ms > 0 and (
    exists (select from schedule where license_id = sandbox.license_id
      and least(next_run_at, next_announcement_at) <= clock.at)
    or exists (select from subscription where license_id = sandbox.license_id and module_id is not null
      and status = any(${renewingStatuses}) and period_end <= clock.at)
    or exists (select from store_order where license_id = sandbox.license_id and status = 'pending'
      and ${sql.raw(orderEndsAt)} < clock.at)
    or exists (select from store_delivery where license_id = sandbox.license_id
      and ${sql.raw(isUndelivered)} and expires_at < clock.at)
    or exists (select from player_action as ban ${sql.raw(liftableAt('clock.at'))}
      and ban.license_id = sandbox.license_id and ${sql.raw(isRested)}))
  order by random() limit ${followedAtOnce}`;
