// How far back a report may reach: an agent says when something happened, and resellers are billed from it.

/**
 * Reports may be this late. Agents keep them while the bus is away, so the time in which nothing was heard of a host does
 * not count, until this long after it was heard again.
 */
export const maxLateHours = 2;

/** An interruption of the heartbeats that is longer is such a time. */
export const minSilenceSeconds = 60;

/** As SQL about `agent_host`, which host it is: the earliest time that a report of it may name. */
export const earliestReport = (host: string, lateHours: number): string => `(
  least(now(), case when ${host}.heard_again_at > now() - interval '${lateHours} hours' then ${host}.silent_since
    else coalesce(${host}.last_heartbeat_at, ${host}.created_at) end) - interval '${lateHours} hours')`;
