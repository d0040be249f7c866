// Writes the module with the kinds of plugin configurations.
import { readKinds, type NamedKind } from './plugin-kinds.ts';

const literal = (value: unknown) => JSON.stringify(value, null, 2);

/** A module of TypeScript: the kinds and their presets. */
export function pluginKindsModule(kinds: readonly NamedKind[] = readKinds()): string {
  const data = kinds.map(({ name, noun }) => `  '${name}': Schemas['${noun}ConfigData'];\n`).join('');
  const declared = kinds.map(
    ({ schemas: _schemas, exampleFiles: _files, presets: _presets, ...kind }) => [kind.name, kind] as const,
  );
  const presets = kinds.map(({ name, presets: each }) => [name, each] as const);
  return `// Generated from the contract; edit openapi/plugin-configs instead.
import type { components } from './platform.d.ts';

type Schemas = components['schemas'];

/** The configuration of each kind. */
export interface PluginConfigData {
${data}}

export type PluginKindName = keyof PluginConfigData;

export interface DeclaredPreset<Data> {
  readonly name: string;
  readonly description: string;
  readonly config: Data;
}

export const pluginKinds = ${literal(Object.fromEntries(declared))} as const;

export const pluginPresets: {
  readonly [Name in PluginKindName]: readonly DeclaredPreset<PluginConfigData[Name]>[];
} = ${literal(Object.fromEntries(presets))};
`;
}
