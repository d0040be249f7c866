// Limits how far back an agent's report may date an event, because resellers are billed by these times.

/**
 * Maximum delay of a report. Agents queue reports while the bus is unavailable, so a host's silent interval does not
 * count towards the delay until this many hours after the host was heard again.
 */
export const maxLateHours = 2;

/** A longer interruption of the heartbeats counts as a silent interval. */
export const minSilenceSeconds = 60;

/** SQL for the earliest time that a report may name; `host` is the alias of the `agent_host` row. */
export const earliestReport = (host: string, lateHours: number): string => `(
  least(now(), case when ${host}.heard_again_at > now() - interval '${lateHours} hours' then ${host}.silent_since
    else coalesce(${host}.last_heartbeat_at, ${host}.created_at) end) - interval '${lateHours} hours')`;
