// Limits of agents' reports: how far back they may date an event, and how many instances they may add.

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

/** Includes instances that the host no longer has. */
const maxInstancesPerHost = 1_000;

/**
 * SQL condition: whether a message sent at `sentAt` may create or update the host's instance of that name. Rows of
 * unused names stay until a member deletes them, so without a limit an agent that invents names would fill the table.
 * A late message from before the instance was deleted does not recreate it.
 */
export function hasRoom(hostId: string, name: string, sentAt: string): string {
  return `(exists (select from game_instance where game_instance.host_id = ${hostId} and game_instance.name = ${name})
    or (select count(*) from game_instance where game_instance.host_id = ${hostId}) < ${maxInstancesPerHost}
      and not exists (select from command where command.host_id = ${hostId} and command.instance_name = ${name}
        and command.kind = 'delete_instance' and command.finished_at >= ${sentAt}))`;
}
