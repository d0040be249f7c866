// Measures how long the oldest due row of each queue has waited: for metrics, administration and operator alarms.
import { sql } from 'kysely';
import { distinctOf } from '../../database/distinct-values.ts';
import type { Queries } from '../../database/reader.ts';
import { liftableBans } from '../players/ban-lifting.ts';
import { settledMinutes } from '../resellers/bill-records.ts';
import { maxUnderWay, takesDeliveries } from '../store/deliveries/dispatch.ts';

export interface QueueAge {
  name: string;
  /** Null while nothing waits. */
  oldestSeconds: number | null;
  maxSeconds: number;
}

interface Queue {
  /** SQL that selects the due time of the oldest due row as `at`; it uses an index, so its cost does not grow. */
  oldest: string;
  /** Operators are alerted if a row has waited longer. */
  maxSeconds: number;
}

const minutes = 60;

/** SQL that finds the earliest due row of each distinct value, and then the earliest of those. */
const firstDue = (column: string, table: string, of: { status: string; and?: string }) => `
  select min(due.next_attempt_at) as at
  from ${distinctOf([column], table, `status = '${of.status}'`)} as waiting
  cross join lateral (
    select next_attempt_at from ${table} where ${table}.${column} = waiting.${column} and status = '${of.status}'
      and next_attempt_at <= now() order by next_attempt_at limit 1
  ) as due ${of.and ?? ''}`;

/** Every table with rows that wait for the role `jobs`; docs/operations.md states how fast each is processed. */
export const queues: Readonly<Record<string, Queue>> = {
  jobs: {
    oldest: `select min(run_at) as at from graphile_worker._private_jobs
      where is_available and run_at <= now() and attempts < max_attempts`,
    maxSeconds: 10 * minutes,
  },
  session_change: { oldest: 'select min(queued_at) as at from session_change', maxSeconds: 10 * minutes },
  map_sighting: { oldest: 'select min(queued_at) as at from map_sighting', maxSeconds: 10 * minutes },
  player_session_due: {
    oldest: 'select min(queued_at) as at from player_session_due',
    maxSeconds: 10 * minutes,
  },
  instance_stats_5m: {
    oldest: `select min(bucket_at) + interval '5 minutes' as at from instance_stats_5m
      where not is_rolled_up and bucket_at < date_bin('5 minutes', now(), 'epoch')`,
    maxSeconds: 30 * minutes,
  },
  instance_stats_due: {
    // Rows are found packed or not; only the disk fills.
    oldest: `select min(due_at) as at from instance_stats_due where due_at <= now()`,
    maxSeconds: 180 * minutes,
  },
  schedule: {
    oldest: `select min(next_run_at) as at from schedule where next_run_at <= now()`,
    maxSeconds: 5 * minutes,
  },
  event_relay: {
    oldest: `select min(due.recorded_at) as at from event_relay as relay
      join event_sequence as known on known.license_id = relay.license_id and known.has_news and known.last_seq > relay.seq
      join license on license.id = relay.license_id and license.status = 'active'
      cross join lateral (
        select recorded_at from event_log where event_log.license_id = relay.license_id
          and (recorded_at, seq) > (relay.at, relay.seq) order by recorded_at, seq limit 1
      ) as due`,
    maxSeconds: 5 * minutes,
  },
  webhook_delivery: {
    oldest: firstDue('webhook_id', 'webhook_delivery', {
      status: 'pending',
      and: `join webhook on webhook.id = waiting.webhook_id and webhook.is_enabled
        and (rests_until is null or rests_until <= now())
        join license on license.id = webhook.license_id and license.status = 'active'`,
    }),
    maxSeconds: 10 * minutes,
  },
  notification: {
    oldest: firstDue('channel_id', 'notification', {
      status: 'pending',
      and: `join notification_channel as channel on channel.id = waiting.channel_id
        join license on license.id = channel.license_id and license.status = 'active'`,
    }),
    maxSeconds: 10 * minutes,
  },
  store_delivery: {
    // A delivery that waited for its game server to run is due from the moment it runs.
    oldest: `select min(greatest(due.next_attempt_at, instance.state_at)) as at
      from ${distinctOf(['instance_id'], 'store_delivery', `status = 'waiting'`)} as waiting
      ${takesDeliveries}
      cross join lateral (
        select next_attempt_at from store_delivery where instance_id = instance.id and status = 'waiting'
          and next_attempt_at <= now() order by next_attempt_at limit 1
      ) as due
      where (select count(*) from store_delivery where instance_id = instance.id and status = 'sent') < ${maxUnderWay}`,
    maxSeconds: 10 * minutes,
  },
  wipe_retention: {
    oldest: 'select min(queued_at) as at from wipe_retention where not is_counted',
    maxSeconds: 10 * minutes,
  },
  subscription: {
    oldest: `select min(period_end) as at from subscription
      join license on license.id = subscription.license_id and license.status = 'active'
      where module_id is not null and subscription.status in ('trialing', 'active', 'past_due')
        and period_end <= now()`,
    maxSeconds: 30 * minutes,
  },
  reseller_bill: {
    oldest: `select min(started + interval '1 month' + interval '${settledMinutes} minutes') as at from reseller,
        generate_series(date_trunc('month', reseller.created_at, 'UTC'),
          date_trunc('month', now() - interval '${settledMinutes} minutes', 'UTC') - interval '1 month',
          interval '1 month') as started
      where not exists (select from reseller_bill where reseller_id = reseller.id
        and month = to_char(started at time zone 'UTC', 'YYYY-MM'))`,
    maxSeconds: 180 * minutes,
  },
  player_action: {
    // Bans whose unban was tried are left out: they stay due while their game server refuses the unban.
    oldest: `select min(greatest(ban.until, instance.state_at)) as at from player_action as ban ${liftableBans}
      and ban.lift_tried_at is null`,
    maxSeconds: 10 * minutes,
  },
  store_order: {
    oldest: 'select min(next_ask_at) as at from store_order where next_ask_at <= now()',
    maxSeconds: 30 * minutes,
  },
};

const oldestOfAll = Object.entries(queues)
  .map(
    ([name, { oldest }]) =>
      `select '${name}' as name, extract(epoch from now() - at)::float8 as seconds from (${oldest}) as oldest`,
  )
  .join(' union all ');

export async function queueAges(queries: Queries): Promise<QueueAge[]> {
  const { rows } = await sql.raw<{ name: string; seconds: number | null }>(oldestOfAll).execute(queries);
  return rows.map(({ name, seconds }) => ({
    name,
    oldestSeconds: seconds === null ? null : Math.max(0, Math.round(seconds)),
    maxSeconds: queues[name]?.maxSeconds ?? 0,
  }));
}

/** The number of jobs that have used up their retries. */
export async function deadJobCount(queries: Queries): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null`.execute(queries);
  return rows[0]?.count ?? 0;
}

/** A job that runs for longer hangs: each wait within a job has a limit of seconds. */
export const stuckMinutes = 15;

/** Whether a worker has held a job for too long. */
export const isStuck = sql<boolean>`locked_at < now() - make_interval(mins => ${sql.lit(stuckMinutes)})`;

/** The number of jobs that workers have held for too long. */
export async function stuckJobCount(queries: Queries): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from graphile_worker.jobs
    where ${isStuck}`.execute(queries);
  return rows[0]?.count ?? 0;
}

/** The current state of queues and jobs, for metrics and alarms. */
export interface QueueState {
  ages: QueueAge[];
  deadJobs: number;
  stuckJobs: number;
}

export async function readQueues(queries: Queries): Promise<QueueState> {
  return {
    ages: await queueAges(queries),
    deadJobs: await deadJobCount(queries),
    stuckJobs: await stuckJobCount(queries),
  };
}
