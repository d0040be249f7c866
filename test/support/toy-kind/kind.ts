// A kind of plugin configuration that exists in tests only: everything an additional kind needs.
import type { Contract } from '../../../src/app.ts';
import { documentFile } from '../../../src/platform-contract/document-file.ts';
import { readDocument } from '../../../src/contract/document.ts';
import { handlers } from '../../../src/handlers/index.ts';
import type { KindDefinition } from '../../../src/plugin-configs/kind.ts';
import { kindDefinitions } from '../../../src/plugin-configs/registry.ts';

export const toyKind: KindDefinition = {
  name: 'toy',
  noun: 'Toy',
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

/** The platform's contract with the toy in it: the schemas of another kind, under its own name. */
export function contractWithToy(): Contract {
  const document = readDocument(documentFile);
  const renamed = <T>(value: T) =>
    JSON.parse(JSON.stringify(value).replaceAll('Gather', 'Toy').replaceAll('gather', 'toy')) as T;
  const { schemas } = document.components;
  const known = Object.entries(schemas as Record<string, object>);
  const copied = known.filter(([name]) => name.startsWith('Gather')).map((entry) => renamed(entry));
  return {
    document: {
      ...document,
      components: {
        ...document.components,
        schemas: {
          ...Object.fromEntries(known.map(([name, schema]) => [name, withToy(schema)])),
          ...Object.fromEntries(copied),
          ToyConfigData,
        },
      },
    },
    handlers,
  };
}

interface UnionOfKinds {
  oneOf: object[];
  discriminator: { propertyName: string; mapping: Record<string, string> };
}

/** Adds the toy to the names of kinds, and to the unions of their schemas. */
function withToy(schema: object): object {
  const { enum: names, discriminator } = schema as { enum?: string[] } & Partial<UnionOfKinds>;
  if (names?.includes('gather') === true) return { ...schema, enum: [...names, 'toy'] };
  const $ref = discriminator?.mapping['gather']?.replace('Gather', 'Toy');
  if ($ref === undefined) return schema;
  const { oneOf, discriminator: kinds } = schema as UnionOfKinds;
  return {
    ...schema,
    oneOf: [...oneOf, { $ref }],
    discriminator: { ...kinds, mapping: { ...kinds.mapping, toy: $ref } },
  };
}

export const kindsWithToy = [...kindDefinitions, toyKind];
