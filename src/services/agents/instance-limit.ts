// Limits the instances of a host, regardless of what its agent reports.

/** Those that are gone included. */
const maxInstancesPerHost = 1_000;

/**
 * As SQL: whether a host may have an instance of that name, as something says that was sent at that time. Names that it
 * no longer uses stay until a member deletes them, so an agent that invents new ones would otherwise fill the table.
 * What was sent before the instance was deleted and comes late does not bring it back.
 */
export function hasRoom(hostId: string, name: string, sentAt: string): string {
  return `(exists (select from game_instance where game_instance.host_id = ${hostId} and game_instance.name = ${name})
    or (select count(*) from game_instance where game_instance.host_id = ${hostId}) < ${maxInstancesPerHost}
      and not exists (select from command where command.host_id = ${hostId} and command.instance_name = ${name}
        and command.kind = 'delete_instance' and command.finished_at >= ${sentAt}))`;
}
