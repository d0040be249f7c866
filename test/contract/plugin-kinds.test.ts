// Kinds of plugin configurations as the contract declares them: the template of their schemas, and derived texts.
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { keyDescription } from '../../scripts/key-descriptions.ts';
import { pluginKindsModule } from '../../scripts/plugin-kinds-module.ts';
import {
  additionalPermissions,
  namedKind,
  readTemplate,
  schemasOf,
  unionsOf,
  type DeclaredKind,
} from '../../scripts/plugin-kinds.ts';
import { root } from '../support/contract.ts';

const toy = namedKind('toy-car', {
  title: 'toy car',
  files: [{ file: 'config/Toy.json', plugin: 'Toy' }],
  alsoNeeds: ['console.input', 'files.view'],
  presets: [],
  exampleFiles: [{ file: 'config/Toy.json', content: '{}' }],
  schemas: { ToyCarConfigData: { type: 'object', example: { speed: 2 } } },
});

describe('the schemas of a kind', () => {
  it('are those of the template, under the names of the kind', () => {
    const schemas = schemasOf(readTemplate(), toy);
    expect(Object.keys(schemas)).toEqual([
      'ToyCarConfig',
      'ToyCarConfigCreate',
      'ToyCarConfigUpdate',
      'ToyCarConfigValues',
      'ToyCarConfigPreset',
    ]);
    expect(schemas['ToyCarConfigCreate']).toMatchObject({
      properties: {
        kind: { enum: ['toy-car'] },
        config_data: { $ref: 'kinds/toy-car.yaml#/schemas/ToyCarConfigData' },
      },
    });
    expect(JSON.stringify(schemas)).not.toMatch(/[«»]/);
  });

  it('are selected by the kind in each union', () => {
    const { PluginConfigKind: names, ...unions } = unionsOf(readTemplate(), [toy], () => 'toys.yaml');
    expect(names).toMatchObject({ enum: ['toy-car'] });
    expect(unions['PluginConfigUpdate']).toMatchObject({
      oneOf: [{ $ref: 'toys.yaml#/schemas/ToyCarConfigUpdate' }],
      discriminator: {
        propertyName: 'kind',
        mapping: { 'toy-car': 'toys.yaml#/schemas/ToyCarConfigUpdate' },
      },
    });
  });

  it('do not come of a template with an unknown placeholder', () => {
    const template = { ofKind: { '«colour»Config': {} }, unions: {} };
    expect(() => schemasOf(template, toy)).toThrow('the template has the unknown placeholder «colour»');
  });

  it('come with the additional permissions of the kind', () => {
    expect(additionalPermissions([toy, { ...toy, name: 'free', alsoNeeds: [] }])).toEqual({
      'toy-car': ['console.input', 'files.view'],
    });
  });
});

describe('a declaration', () => {
  it('with a wrong key is refused', () => {
    const { title, files, presets, schemas } = toy;
    const declared = { title, files, presets, schemas, generation: [] };
    expect(() => namedKind('toy-car', declared as never)).toThrow(
      'the plugin kind toy-car lacks exampleFiles, has the unknown key generation',
    );
  });

  it('is what the guide shows', () => {
    const guide = readFileSync(resolve(root, 'docs/plugin-kinds.md'), 'utf8');
    const [, block = ''] = /```yaml\n(.*?) *```/s.exec(guide) ?? [];
    const kind = namedKind('lantern-posts', parse(block) as DeclaredKind);
    expect(Object.keys(schemasOf(readTemplate(), kind))).toContain('LanternPostsConfigCreate');
    expect(kind.schemas['LanternPostsConfigData']).toMatchObject({
      properties: { lit_share: { description: '`Share of lit posts (0-1)`.' } },
    });
  });

  it('reaches TypeScript', () => {
    expect(pluginKindsModule([toy])).toContain("'toy-car': Schemas['ToyCarConfigData'];");
  });
});

describe('descriptions of fields', () => {
  it('name the key of the plugin, unless the field is named after it or they say more', () => {
    expect(
      keyDescription({
        properties: {
          boats: { type: 'boolean', 'x-key': 'Boats' },
          fast_boats: { type: 'boolean', 'x-key': 'Fast Boats', 'x-plugin-default': true },
          depth: { type: 'number', 'x-key': ['Water', 'Depth (m)'] },
          width: { type: 'number', 'x-key': 'Width (m)', 'x-plugin-default': 2 },
          speed: { type: 'number', 'x-key': 'Speed', description: 'In metres a second.' },
          rate: { $ref: '#/schemas/Rate', 'x-key': 'Rate' },
        },
      }),
    ).toEqual({
      properties: {
        boats: { type: 'boolean', 'x-key': 'Boats' },
        fast_boats: { type: 'boolean', 'x-key': 'Fast Boats', 'x-plugin-default': true },
        depth: {
          type: 'number',
          'x-key': ['Water', 'Depth (m)'],
          description: 'Setting `Depth (m)`.',
        },
        width: {
          type: 'number',
          'x-key': 'Width (m)',
          'x-plugin-default': 2,
          description: '`Width (m)`.',
        },
        speed: { type: 'number', 'x-key': 'Speed', description: 'In metres a second.' },
        rate: { $ref: '#/schemas/Rate', 'x-key': 'Rate' },
      },
    });
  });

  it('are written only where they say more', () => {
    const restating = globSync('openapi/plugin-configs/kinds/*.yaml', { cwd: root }).filter((file) =>
      /plugin'+s (?:file calls|setting) “/.test(readFileSync(resolve(root, file), 'utf8')),
    );
    expect(restating).toEqual([]);
  });
});
