// Kinds of plugin configurations as the contract declares them: the template of their operations, and derived texts.
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { keyDescription } from '../../scripts/key-descriptions.ts';
import { pluginKindsModule } from '../../scripts/plugin-kinds-module.ts';
import {
  namedKind,
  operationIdsIn,
  operationsOf,
  readTemplate,
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

describe('the operations of a kind', () => {
  const { paths, schemas } = operationsOf(readTemplate(), toy);

  it('are those of the template, under the names of the kind', () => {
    expect(operationIdsIn(paths).toSorted()).toEqual([
      'createToyCarConfig',
      'createToyCarConfigCopy',
      'deleteToyCarConfig',
      'deployToyCarConfig',
      'exportToyCarConfig',
      'getToyCarConfig',
      'getToyCarConfigDefaults',
      'importToyCarConfig',
      'importToyCarConfigFiles',
      'listToyCarConfigPresets',
      'listToyCarConfigs',
      'runToyCarConfigPreview',
      'runToyCarConfigValidation',
      'updateToyCarConfig',
    ]);
    expect(Object.keys(paths)).toContain('/api/plugin-configs/toy-car/{toy_car_config_id}/apply');
    expect(schemas['ToyCarConfigIdParameter']).toMatchObject({ name: 'toy_car_config_id', in: 'path' });
    expect(JSON.stringify([paths, schemas])).not.toMatch(/[«»]/);
  });

  it('have its texts, examples and permissions', () => {
    expect(paths['/api/plugin-configs/toy-car']).toMatchObject({
      post: {
        summary: 'Create a toy car configuration',
        tags: ['Plugin Configurations'],
        'x-validator': 'plugin-configs-toy-car',
        security: [
          { bearerAuth: ['pluginconfigs.manage', 'console.input', 'files.view'] },
          { apiKey: ['pluginconfigs.manage', 'console.input', 'files.view'] },
        ],
        requestBody: {
          content: { 'application/json': { example: { name: 'Weekend', config_data: { speed: 2 } } } },
        },
      },
    });
  });

  it('do not come of a template with an unknown placeholder', () => {
    const template = { paths: { '/api/«colour»': {} }, schemas: {} };
    expect(() => operationsOf(template, toy)).toThrow('the template has the unknown placeholder «colour»');
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
    const { paths } = operationsOf(readTemplate(), kind);
    expect(Object.keys(paths)).toContain('/api/plugin-configs/lantern-posts/{lantern_posts_config_id}');
    expect(kind.schemas['LanternPostsConfigData']).toMatchObject({
      properties: { lit_share: { description: "The plugin's setting “Share of lit posts (0-1)”." } },
    });
  });

  it('reaches TypeScript with every operation', () => {
    const text = pluginKindsModule([toy], readTemplate());
    expect(text).toContain("'toy-car': Schemas['ToyCarConfigData'];");
    expect(text).toContain("runToyCarConfigPreview: kinds['toy-car'].runConfigPreview,");
  });
});

describe('descriptions of fields', () => {
  it('name the key of the plugin, unless they say more', () => {
    expect(
      keyDescription({
        properties: {
          boats: { type: 'boolean', 'x-key': 'Boats' },
          depth: { type: 'number', 'x-key': ['Water', 'Depth (m)'] },
          speed: { type: 'number', 'x-key': 'Speed', description: 'In metres a second.' },
          rate: { $ref: '#/schemas/Rate', 'x-key': 'Rate' },
        },
      }),
    ).toEqual({
      properties: {
        boats: { type: 'boolean', 'x-key': 'Boats', description: "The plugin's setting “Boats”." },
        depth: {
          type: 'number',
          'x-key': ['Water', 'Depth (m)'],
          description: "The plugin's setting “Depth (m)”.",
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
