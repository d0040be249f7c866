// A kind of plugin configuration that exists in tests only: everything an additional kind needs.
import type { PluginKindName } from '../../../generated/plugin-kinds.ts';
import type { Contract } from '../../../src/app.ts';
import { documentFile } from '../../../src/platform-contract/document-file.ts';
import { readDocument, type Document } from '../../../src/contract/document.ts';
import { handlers } from '../../../src/handlers/index.ts';
import { handlersOfKind } from '../../../src/handlers/plugin-configs.ts';
import type { KindDefinition } from '../../../src/plugin-configs/kind.ts';
import { kindDefinitions } from '../../../src/plugin-configs/registry.ts';

export const toyKind: KindDefinition = {
  name: 'toy',
  noun: 'Toy',
  idParameter: 'toy_config_id',
  title: 'toy',
  files: [{ file: 'data/Toy.json', plugin: 'Toy' }],
  presets: [{ name: 'Fast', description: 'It runs.', config: { speed: 9 } }],
  faultsOf: ({ speed, limit }) =>
    Number(speed) > Number(limit) ? [{ pointer: '/speed', detail: 'is more than limit' }] : [],
  isWrittenOnUnload: true,
};

const ToyConfigData = {
  type: 'object',
  additionalProperties: false,
  properties: {
    speed: {
      type: 'number',
      minimum: 0,
      'x-plugin-default': 1,
      'x-key': ['Settings', 'Speed (1.0 = normal)'],
    },
    limit: { type: 'number', minimum: 0, 'x-plugin-default': 10, 'x-key': 'Limit' },
    mood: { type: 'string', maxLength: 20, 'x-kept': true },
  },
};

/** The platform's contract with the toy in it: the definition of every kind, under another name. */
export function contractWithToy(): Contract {
  const document = readDocument(documentFile);
  const renamed = <T>(value: T) =>
    JSON.parse(JSON.stringify(value).replaceAll('Gather', 'Toy').replaceAll('gather', 'toy')) as T;
  const isOfGather = ([name]: [string, unknown]) => /[Gg]ather/.test(name);
  const copied = <T>(entries: Record<string, T>) =>
    renamed(Object.fromEntries(Object.entries(entries).filter(isOfGather)));
  const { parameters = {}, schemas } = document.components;
  const known = schemas as Record<string, unknown>;
  const components: Document['components'] = {
    ...document.components,
    parameters: { ...parameters, ...copied(parameters) },
    schemas: { ...known, ...copied(known), ToyConfigData },
  };
  return {
    document: { ...document, components, paths: { ...document.paths, ...copied(document.paths) } },
    handlers: { ...handlers, ...toyHandlers() },
  };
}

/** The handlers of any kind, which never look into a configuration, under the names of the toy's operations. */
function toyHandlers() {
  const own = handlersOfKind({ name: toyKind.name as PluginKindName, idParameter: toyKind.idParameter });
  const named = Object.entries(own).map(([name, handler]) => [name.replace('Config', 'ToyConfig'), handler]);
  return Object.fromEntries(named) as object;
}

export const kindsWithToy = [...kindDefinitions, toyKind];
