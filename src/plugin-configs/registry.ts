// Registers the kinds of plugin configurations: each is a declaration in the contract, and its code.
import type { PluginConfigData, PluginKindName } from '../../generated/plugin-kinds.ts';
import { automaticDoors } from './automatic-doors/code.ts';
import { chat } from './chat/code.ts';
import { definitionOf } from './declared.ts';
import { gather } from './gather/code.ts';
import { PluginKind, type KindDefinition } from './kind.ts';
import { kits } from './kits/code.ts';
import { loot } from './loot/code.ts';
import { raidableBases } from './raidable-bases/code.ts';
import type { ConfigSchema } from './schema.ts';
import { teleport } from './teleport/code.ts';
import { timedCommands } from './timed-commands/code.ts';

const definitions: { readonly [Name in PluginKindName]: KindDefinition<PluginConfigData[Name]> } = {
  'automatic-doors': definitionOf('automatic-doors', automaticDoors),
  chat: definitionOf('chat', chat),
  'furnace-splitting': definitionOf('furnace-splitting', {}),
  gather: definitionOf('gather', gather),
  kits: definitionOf('kits', kits),
  loot: definitionOf('loot', loot),
  'raidable-bases': definitionOf('raidable-bases', raidableBases),
  teleport: definitionOf('teleport', teleport),
  'timed-commands': definitionOf('timed-commands', timedCommands),
};

export const kindDefinitions: readonly KindDefinition[] = Object.values(definitions);

export type PluginKinds = ReadonlyMap<string, PluginKind>;

export function kindNamed<Name extends PluginKindName>(
  kinds: PluginKinds,
  name: Name,
): PluginKind<PluginConfigData[Name]>;
export function kindNamed(kinds: PluginKinds, name: string): PluginKind;
export function kindNamed(kinds: PluginKinds, name: string): PluginKind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`there is no kind ${name} of plugin configurations`);
  return kind;
}

/** Each kind with its schema from the contract, by name. */
export function pluginKinds(
  schemas: Readonly<Record<string, ConfigSchema>>,
  definitions: readonly KindDefinition[] = kindDefinitions,
): PluginKinds {
  return new Map(definitions.map((definition) => [definition.name, new PluginKind(definition, schemas)]));
}
