// The kinds of plugin configurations that there are; each is a folder beside this file and a line in it.
import { gather } from './gather/kind.ts';
import { PluginKind, type KindDefinition } from './kind.ts';
import type { ConfigSchema } from './schema.ts';
import { loot } from './loot/kind.ts';
import { teleport } from './teleport/kind.ts';

export const kindDefinitions = [gather, loot, teleport] as const satisfies readonly KindDefinition[];

export type PluginKinds = ReadonlyMap<string, PluginKind>;

/** Each kind with its schema from the contract, by name. */
export function pluginKinds(
  schemas: Readonly<Record<string, ConfigSchema>>,
  definitions: readonly KindDefinition[] = kindDefinitions,
): PluginKinds {
  return new Map(definitions.map((definition) => [definition.name, new PluginKind(definition, schemas)]));
}
