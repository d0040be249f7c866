// Partitions of the future months that clocks of sandboxes can reach.

const parents = `unnest(array['player_event', 'player_session']) as parent`;
/** Events of players are stored by the month in which they happened. A clock is at most 366 days ahead. */
const months = 15;

/** Creates missing partitions, unless the installation has no sandbox. Concurrent runs wait for each other. */
export const createSandboxPartitions = `
  with turn as materialized (
    select pg_advisory_xact_lock(hashtextextended('partitions of future months', 0)) from sandbox limit 1
  )
  select create_month_partitions(parent, current_date, ${months}) from turn, ${parents}`;

/** Whether all of them exist up to a time. */
export const hasSandboxPartitions = `
  select bool_and(to_regclass(parent || to_char(?::timestamptz at time zone 'UTC', '_YYYY_MM')) is not null) as exist
  from ${parents}`;
