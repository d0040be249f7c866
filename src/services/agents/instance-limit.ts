// Limits the instances of a host, regardless of what its agent reports.

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
