// Registers the kinds of plugin configurations; each is a folder beside this file and a line in it.
import { automaticDoors } from './automatic-doors/kind.ts';
import { chat } from './chat/kind.ts';
import { furnaceSplitting } from './furnace-splitting/kind.ts';
import { gather } from './gather/kind.ts';
import { PluginKind, type KindDefinition } from './kind.ts';
import { kits } from './kits/kind.ts';
import { loot } from './loot/kind.ts';
import { raidableBases } from './raidable-bases/kind.ts';
import type { ConfigSchema } from './schema.ts';
import { teleport } from './teleport/kind.ts';
import { timedCommands } from './timed-commands/kind.ts';

export const kindDefinitions = [
  automaticDoors,
  chat,
  furnaceSplitting,
  gather,
  kits,
  loot,
  raidableBases,
  teleport,
  timedCommands,
] as const satisfies readonly KindDefinition[];

export type PluginKinds = ReadonlyMap<string, PluginKind>;

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
