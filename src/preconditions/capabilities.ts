// Refuses commands that an instance lacks the capability for, as reported by its agent, before sending any.
import type { BusSchemas, CommandVerb } from '../platform-contract/bus-types.ts';
import type { Queries } from '../database/reader.ts';
import type { GameInstance } from '../entities/index.ts';
import { DomainError, notFound } from '../errors.ts';

export type Capability = BusSchemas['InstanceCapability'];

/** Capabilities that each command requires; other commands need only the server's process and files. */
const neededBy: Readonly<Partial<Record<CommandVerb, readonly Capability[]>>> = {
  announce: ['announcements'],
  apply_plugin_files: ['plugins'],
  ban_player: ['players'],
  deliver: ['deliveries'],
  install_module: ['plugins'],
  install_plugin: ['plugins'],
  kick_player: ['players'],
  load_plugin: ['plugins', 'console_replies'],
  message_player: ['players'],
  reload_plugin: ['plugin_reloads'],
  restore_plugin: ['plugins'],
  type: ['console_input'],
  type_lines: ['console_input'],
  unban_player: ['players'],
  uninstall_plugin: ['plugins'],
  unload_plugin: ['plugins', 'console_replies'],
  wipe: ['wipes'],
};

const lackInWords: Readonly<Record<Capability, string>> = {
  announcements: 'has no console command for announcements',
  console_input: 'reads no console commands',
  console_output: 'has an agent that does not report what console commands print',
  console_replies: 'has no RCON that its agent knows of',
  deliveries: 'has no RCON that its agent knows of, so that no delivery could be confirmed',
  players: 'has no RCON that its agent knows of, so that nothing can be done to players',
  plugin_reloads: 'has no console command that reloads plugins',
  plugins: 'has no plugins of Oxide or Carbon',
  saves: 'has no console command that saves its world',
  wipes: 'is not a Rust server, and only these can be wiped',
};

/**
 * Returns a capability that the command requires and the instance lacks. Agents that report no capabilities get every
 * command.
 */
export function lackOf(
  capabilities: readonly Capability[] | null | undefined,
  verb: CommandVerb,
): Capability | undefined {
  if (capabilities === null || capabilities === undefined) return undefined;
  return neededBy[verb]?.find((needed) => !capabilities.includes(needed));
}

/** Throws `not_supported` if the agent has reported that the instance lacks the capability. */
export function refuseUnlessCapable(
  { name, capabilities }: Pick<GameInstance, 'name' | 'capabilities'>,
  verb: CommandVerb,
): void {
  const lack = lackOf(capabilities, verb);
  if (lack !== undefined)
    throw new DomainError('not_supported', `The server "${name}" ${lackInWords[lack]}.`);
}

/** Checks an instance by its id; also throws `not_found` if the license has no such instance. */
export async function refuseIncapableInstance(
  queries: Queries,
  id: string,
  verb: CommandVerb,
): Promise<void> {
  const instance = await queries
    .selectFrom('game_instance')
    .select(['name', 'capabilities'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (instance === undefined) throw notFound('instance');
  refuseUnlessCapable(instance, verb);
}
