// Writes the module with the kinds of plugin configurations and the types of their operations.
import {
  operationNames,
  readKinds,
  readTemplate,
  type KindOperations,
  type NamedKind,
} from './plugin-kinds.ts';

const literal = (value: unknown) => JSON.stringify(value, null, 2);

/** A module of TypeScript: the kinds, their presets, and the names of their operations. */
export function pluginKindsModule(
  kinds: readonly NamedKind[] = readKinds(),
  template: KindOperations = readTemplate(),
): string {
  const operations = operationNames(template);
  const data = kinds.map(({ name, noun }) => `  '${name}': Schemas['${noun}ConfigData'];\n`).join('');
  const declared = kinds.map(
    ({ schemas: _schemas, exampleFiles: _files, presets: _presets, ...kind }) => [kind.name, kind] as const,
  );
  const presets = kinds.map(({ name, presets: each }) => [name, each] as const);
  const idOf = ({ noun }: NamedKind, operation: string) => operation.replace('Config', `${noun}Config`);
  const ids = kinds.flatMap((kind) => operations.map((operation) => `  | '${idOf(kind, operation)}'\n`));
  const parameters = kinds.map((kind) => {
    const handlers = operations.map(
      (operation) => `    readonly ${operation}: Handlers['${idOf(kind, operation)}'];\n`,
    );
    return `  readonly '${kind.name}': {\n${handlers.join('')}  };\n`;
  });
  const entries = kinds.flatMap((kind) =>
    operations.map((operation) => `  ${idOf(kind, operation)}: kinds['${kind.name}'].${operation},\n`),
  );
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

/** The operations of each kind, by their operationIds without the kind's noun. */
export type KindOperation =
${operations.map((operation) => `  | '${operation}'`).join('\n')};

/** The operationIds of all kinds. */
export type OperationIdOfKind =
${ids.join('')};

/** Gives the handlers of every kind their operationIds; a kind or an operation without a handler does not compile. */
export const operationsOfKinds = <Handlers extends Record<OperationIdOfKind, unknown>>(kinds: {
${parameters.join('')}}) => ({
${entries.join('')}});
`;
}
