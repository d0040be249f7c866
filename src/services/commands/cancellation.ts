// Which commands can be cancelled before they are sent, by which permission, and their cancellation.
import type { CommandVerb } from '../../platform-contract/bus-types.ts';
import type { Ctx } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import { Command } from '../../entities/index.ts';
import { DomainError } from '../../errors.ts';
import type { Permission } from '../auth/role-permissions.ts';
import { refuseBeyondOwn } from '../team/access.ts';
import { followEnds } from './completion.ts';

/** The permission to request the command. */
const permissionOf: Readonly<Record<CommandVerb, Permission>> = {
  announce: 'console.input',
  apply_plugin_files: 'pluginconfigs.apply',
  ban_player: 'players.manage',
  cancel_wipe: 'wipes.trigger',
  change_instance: 'fleet.manage',
  create_backup: 'backups.manage',
  create_instance: 'fleet.manage',
  delete_backup: 'backups.manage',
  delete_instance: 'fleet.manage',
  deliver: 'webstore.manage',
  deploy_map: 'maps.manage',
  install_module: 'modules.install',
  install_plugin: 'plugins.manage',
  kick_player: 'players.manage',
  load_plugin: 'plugins.manage',
  message_player: 'players.manage',
  reload_plugin: 'plugins.manage',
  remove_map: 'maps.manage',
  restart: 'instances.power',
  restore_backup: 'backups.restore',
  restore_plugin: 'plugins.manage',
  start: 'instances.power',
  stop: 'instances.power',
  type: 'console.input',
  type_lines: 'console.input',
  unban_player: 'players.manage',
  uninstall_plugin: 'plugins.manage',
  unload_plugin: 'plugins.manage',
  unzip_file: 'files.manage',
  update_agent: 'fleet.manage',
  wipe: 'wipes.trigger',
  zip_files: 'files.manage',
};

/** Commands that belong to something with a cancellation of its own, or that are sent again by themselves. */
const instead: Readonly<Partial<Record<CommandVerb, string>>> = {
  cancel_wipe: 'Request another wipe once this one is cancelled.',
  deliver: 'The store sends deliveries until they arrive; refund the order instead.',
  wipe: 'Cancel the wipe instead.',
};

/**
 * Ends a command that was never sent. The relay sets `sent_at` in a statement that requires the same status, so that
 * exactly one of both takes the command.
 */
export async function cancelQueued(ctx: Ctx, em: EntityManager, command: Command): Promise<void> {
  refuseBeyondOwn(ctx.license.permissions, { [permissionOf[command.kind]]: true });
  if (command.errorCode === 'cancelled') return;
  const hint = instead[command.kind];
  if (hint !== undefined) throw notCancellable(hint);
  const who = ctx.actor?.label;
  const taken = await em.nativeUpdate(
    Command,
    { id: command.id, status: 'queued', sentAt: null, expiresAt: { $gt: new Date() } },
    {
      status: 'failed',
      errorCode: 'cancelled',
      detail: `Cancelled${who === undefined ? '' : ` by ${who}`} before it was sent to the agent.`,
      finishedAt: new Date(),
    },
  );
  if (taken === 0)
    throw notCancellable('The command was sent to its agent, or it has ended. Its status says which.');
  await followEnds(em, [{ id: command.id }]);
}

const notCancellable = (detail: string) => new DomainError('command_not_cancellable', detail);
