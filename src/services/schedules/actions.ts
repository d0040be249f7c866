// What the kinds of schedules do: which permission each needs, and what an agent is asked.
import type { PermissionMap } from '../../context.ts';
import type { Schemas } from '../../contract-types.ts';
import type { Schedule } from '../../entities/index.ts';
import type { Request } from '../commands.ts';
import type { Permission } from '../permissions.ts';
import { refuseBeyondOwn } from '../team/access.ts';

type Action = Schemas['ScheduleAction'];

/** What somebody needs to do it without a schedule. */
const permissionOf: Readonly<Record<Action['kind'], Permission>> = {
  announcement: 'console.input',
  command: 'console.input',
  plugin_reload: 'plugins.manage',
  restart: 'instances.power',
};

/** Nobody has done by the clock what they may not do themselves. */
export function refuseUnlessAllowed(held: PermissionMap, { kind }: Action): void {
  refuseBeyondOwn(held, { [permissionOf[kind]]: true });
}

/** A restart hours late would surprise more than one that is missing. */
const lifetimeMs = 10 * 60_000;

export function requestOf({ action, name: by }: Pick<Schedule, 'action' | 'name'>): Request {
  switch (action.kind) {
    case 'announcement':
      return { verb: 'announce', args: { message: action.message, by }, lifetimeMs };
    case 'command':
      return { verb: 'type', args: { line: action.line, by }, lifetimeMs };
    case 'plugin_reload':
      return { verb: 'reload_plugin', args: { plugin: action.plugin, by }, lifetimeMs };
    case 'restart':
      return { verb: 'restart', lifetimeMs };
  }
}
