// Writes the operations of every kind of plugin configuration into the contract: one pattern, with types for each kind.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { parse, stringify } from 'yaml';
import type { KindDefinition } from '../src/plugin-configs/kind.ts';
import { kindDefinitions } from '../src/plugin-configs/registry.ts';

const root = resolve(import.meta.dirname, '..');
const pathsFile = 'openapi/paths/plugin-configs.yaml';
const schemasFile = 'openapi/schemas/plugin-config-kinds.yaml';
const contractFile = 'openapi/openapi.yaml';
const note =
  '# Written by scripts/plugin-config-contract.ts from the kinds there are; run npm run generate.\n';

type Kind = Pick<KindDefinition, 'name' | 'noun' | 'title' | 'alsoNeeds'>;
type Item = Record<string, unknown>;

/** Names of a kind in the contract. */
const namesOf = ({ noun, name }: Kind) => ({
  config: `${noun}Config`,
  data: `${noun}ConfigData`,
  id: `${name.replaceAll('-', '_')}_config_id`,
  item: (part: string) => `${camel(name)}${part}`,
});

const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The paths of a kind, each with the name of its item in the paths file. */
export function pathNamesOf(kind: Kind): Record<string, string> {
  const { id, item } = namesOf(kind);
  const base = `/api/plugin-configs/${kind.name}`;
  return {
    [base]: item('Configs'),
    [`${base}/defaults`]: item('Defaults'),
    [`${base}/import`]: item('FileImport'),
    [`${base}/import-from-server`]: item('ServerImport'),
    [`${base}/presets`]: item('Presets'),
    [`${base}/validate`]: item('Validation'),
    [`${base}/{${id}}`]: item('Config'),
    [`${base}/{${id}}/apply`]: item('Application'),
    [`${base}/{${id}}/duplicate`]: item('Copies'),
    [`${base}/{${id}}/export`]: item('Export'),
    [`${base}/{${id}}/preview`]: item('Preview'),
  };
}

const needs = (...permissions: string[]) => [{ bearerAuth: permissions }, { apiKey: permissions }];
const view = needs('pluginconfigs.view');
const remove = needs('pluginconfigs.manage');
const page = (name: string) => ({ $ref: `../schemas/page.yaml#/${name}` });
const shared = (name: string) => ({ $ref: `../schemas/plugin-configs.yaml#/${name}` });
const asking = [
  'agent_refused',
  'agent_offline',
  'agent_timeout',
  'not_supported',
  'file_too_large',
  'limit_reached',
];
/** A loot table of two megabytes, in JSON. */
const bodyLimit = 8 * 1024 * 1024;
const exampleId = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1fc001';
const instanceId = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01';

const summary = {
  id: exampleId,
  name: 'Weekend',
  version: 1,
  updated_by: 'owner@example.com',
  created_at: '2026-11-21T10:00:00.000Z',
  updated_at: '2026-11-21T10:00:00.000Z',
};

/** The items of a kind's paths, by name. `example` is a configuration. */
export function pathItemsOf(
  kind: Kind,
  { example, files }: { example: unknown; files: unknown },
): Record<string, Item> {
  const { config, item } = namesOf(kind);
  const { noun, title, alsoNeeds = [] } = kind;
  const one = `${/^[aeiou]/.test(title) ? 'an' : 'a'} ${title}`;
  const manage = needs('pluginconfigs.manage', ...alsoNeeds);
  const apply = needs('pluginconfigs.apply', ...alsoNeeds);
  const own = (name: string) => ({ $ref: `../schemas/plugin-config-kinds.yaml#/${name}` });
  const parameters = [own(`${config}IdParameter`)];
  const { id, name, ...rest } = summary;
  const record = { id, name, config_data: example, ...rest };
  const operation = (operationId: string, parts: Item) => ({
    operationId,
    tags: ['plugin-configs'],
    'x-validator': `plugin-configs-${kind.name}`,
    ...parts,
  });
  const body = (schema: unknown, value: unknown) => ({
    requestBody: { required: true, content: json(schema, value) },
  });
  const versioned = (description: string) => ({
    description,
    headers: { ETag: page('ETag') },
    content: json(own(config), record),
  });
  const imported = {
    description: 'The configuration, and what of the files it does not have.',
    headers: { ETag: page('ETag') },
    content: json(own(`${config}Imported`), { ...record, not_read: [], not_read_count: 0 }),
  };
  return {
    [item('Configs')]: {
      get: operation(`list${noun}Configs`, {
        summary: `List ${title} configurations`,
        description: `Lists the license's ${title} configurations, oldest first, without what they configure.`,
        security: view,
        'x-problem-codes': [],
        parameters: [shared('PluginConfigNameFilter'), page('Limit'), page('Cursor')],
        responses: {
          '200': {
            description: 'A page of configurations.',
            headers: { Link: page('Link') },
            content: json(shared('PluginConfigPage'), {
              data: [summary],
              next_cursor: Buffer.from(exampleId).toString('base64url'),
            }),
          },
        },
      }),
      post: operation(`create${noun}Config`, {
        summary: `Create ${one} configuration`,
        description:
          'Keeps a configuration under a name that is unique among those of its kind. No server hears of it yet.',
        security: manage,
        'x-problem-codes': ['name_taken', 'limit_reached', 'plugin_config_invalid'],
        'x-body-limit': bodyLimit,
        parameters: [page('IdempotencyKey')],
        ...body(own(`${config}Create`), { name: 'Weekend', config_data: example }),
        responses: { '201': versioned('The configuration.') },
      }),
    },
    [item('Config')]: {
      parameters,
      get: operation(`get${noun}Config`, {
        summary: `Get ${one} configuration`,
        description: 'Returns one configuration. Send its `ETag` as `If-Match` when you change it.',
        security: view,
        'x-problem-codes': ['not_found'],
        responses: { '200': versioned('The configuration.') },
      }),
      patch: operation(`update${noun}Config`, {
        summary: `Update ${one} configuration`,
        description:
          'Changes the name, what is configured, or both. `config_data` replaces all that was there.',
        security: manage,
        'x-problem-codes': ['not_found', 'name_taken', 'stale_version', 'plugin_config_invalid'],
        'x-body-limit': bodyLimit,
        parameters: [page('IfMatch')],
        ...body(own(`${config}Update`), { config_data: example }),
        responses: { '200': versioned('The configuration as it is now.') },
      }),
      delete: operation(`delete${noun}Config`, {
        summary: `Delete ${one} configuration`,
        description: 'Deletes the configuration. Servers keep what was applied to them.',
        security: remove,
        'x-problem-codes': ['not_found', 'stale_version'],
        parameters: [page('IfMatch')],
        responses: { '204': { description: 'The configuration is gone.' } },
      }),
    },
    [item('Copies')]: {
      parameters,
      post: operation(`create${noun}ConfigCopy`, {
        summary: `Duplicate ${one} configuration`,
        description: 'Creates a configuration under another name that says the same.',
        security: manage,
        'x-problem-codes': ['not_found', 'name_taken', 'limit_reached'],
        parameters: [page('IdempotencyKey')],
        ...body(shared('PluginConfigCopy'), { name: 'Weekend in summer' }),
        responses: { '201': versioned('The copy.') },
      }),
    },
    [item('Defaults')]: {
      get: operation(`get${noun}ConfigDefaults`, {
        summary: `Get defaults of ${title} configurations`,
        description: 'Returns the defaults of the plugin.',
        security: view,
        'x-problem-codes': [],
        responses: {
          '200': {
            description: 'The defaults.',
            content: json(own(`${config}Defaults`), { config_data: example }),
          },
        },
      }),
    },
    [item('Presets')]: {
      get: operation(`list${noun}ConfigPresets`, {
        summary: `List presets of ${title} configurations`,
        description:
          'Lists configurations to begin with. Create one of your own from what suits you. Applied, lists and maps that it has replace those of the server, as its description says; everything else stays.',
        security: view,
        'x-problem-codes': [],
        responses: {
          '200': {
            description: 'The presets.',
            content: json(own(`${config}Presets`), {
              data: [
                { name: 'Weekend', description: 'For two days. Replaces all rates.', config_data: example },
              ],
            }),
          },
        },
      }),
    },
    [item('Validation')]: {
      post: operation(`run${noun}ConfigValidation`, {
        summary: `Validate ${one} configuration`,
        description:
          'Says what is wrong with a configuration, what of it the plugin would most likely not take, and what of it no file of the plugin can hold. Stores nothing.',
        security: view,
        'x-problem-codes': [],
        'x-body-limit': bodyLimit,
        ...body(own(`${config}Check`), { config_data: example }),
        responses: {
          '200': {
            description: 'What was found.',
            content: json(shared('PluginConfigValidation'), {
              is_valid: true,
              faults: [],
              warnings: [],
              not_written: [],
            }),
          },
        },
      }),
    },
    [item('Preview')]: {
      parameters,
      post: operation(`run${noun}ConfigPreview`, {
        summary: `Preview files of ${one} configuration`,
        description:
          "Returns the exact files that would be written and how they differ from the server's files, so it requires the permission to view files. Unknown values in the files are unchanged. Send `config_version` as `If-Match` when you apply, so that exactly this version is applied.",
        security: needs('pluginconfigs.view', 'files.view'),
        'x-problem-codes': ['not_found', 'plugin_file_unreadable', ...asking],
        requestBody: { content: json(shared('PluginConfigPreviewRequest'), { instance_id: instanceId }) },
        responses: {
          '200': {
            description: 'The files.',
            content: json(shared('PluginConfigPreview'), {
              config_version: 1,
              files: [],
              warnings: [],
              not_written: [],
            }),
          },
        },
      }),
    },
    [item('Application')]: {
      parameters,
      post: operation(`deploy${noun}Config`, {
        summary: `Apply ${one} configuration`,
        description:
          "Reads the server's files, changes only the configured values, has the agent write them and the plugin load them, in a safe order. A plugin that then fails to load gets its previous files back. Returns the application; poll it until it ends. With `If-Match`, a configuration that has changed meanwhile is refused; without it, the current version is applied or none. While the agent is offline, the application fails at once with the error `agent_offline`, because the content of the files is unknown; apply again when the agent is online.",
        security: apply,
        'x-problem-codes': ['not_found', 'limit_reached', 'not_supported', 'stale_version'],
        parameters: [page('IdempotencyKey'), page('IfMatch'), page('Prefer')],
        ...body(shared('PluginConfigApply'), { instance_id: instanceId }),
        responses: { '202': shared('AcceptedPluginApplication') },
      }),
    },
    [item('Export')]: {
      parameters,
      get: operation(`export${noun}Config`, {
        summary: `Export files of ${one} configuration`,
        description: "Returns the plugin's files as a server without any would get them.",
        security: view,
        'x-problem-codes': ['not_found'],
        parameters: [shared('FrameworkParameter')],
        responses: {
          '200': { description: 'The files.', content: json(shared('PluginConfigFiles'), { files: [] }) },
        },
      }),
    },
    [item('ServerImport')]: {
      post: operation(`import${noun}Config`, {
        summary: `Import ${one} configuration from a server`,
        description:
          'Reads the files of a game instance and stores their values as a new configuration, so it requires the permission to view files. Values that the configuration does not support stay on the server; `not_read` lists them.',
        security: needs('pluginconfigs.manage', 'files.view', ...alsoNeeds),
        'x-problem-codes': [
          'not_found',
          'name_taken',
          'limit_reached',
          'plugin_file_unreadable',
          'plugin_config_invalid',
          ...asking.filter((code) => code !== 'limit_reached'),
        ],
        ...body(shared('PluginConfigImport'), { name: 'As on the main server', instance_id: instanceId }),
        responses: { '201': imported },
      }),
    },
    [item('FileImport')]: {
      post: operation(`import${noun}ConfigFiles`, {
        summary: `Import ${one} configuration from files`,
        description:
          'Reads files of the plugin that you send, and keeps what they say as a new configuration. `not_read` lists what of them it does not keep. Files that hold nothing which the configuration takes are refused.',
        security: manage,
        'x-problem-codes': ['name_taken', 'limit_reached', 'plugin_file_unreadable', 'plugin_config_invalid'],
        'x-body-limit': bodyLimit,
        parameters: [page('IdempotencyKey')],
        ...body(shared('PluginConfigFileImport'), {
          name: 'From my computer',
          files,
        }),
        responses: { '201': imported },
      }),
    },
  };
}

const json = (schema: unknown, example: unknown) => ({ 'application/json': { schema, example } });

/** The schemas that a kind adds, by name. */
export function schemasOf(kind: Kind, example: unknown): Record<string, Item> {
  const { config, data, id } = namesOf(kind);
  const text = (description: string) => ({ type: 'string', description });
  const name = { $ref: 'text.yaml#/DisplayName' };
  const config_data = { $ref: `plugin-configs/${kind.name}.yaml#/${data}` };
  const field = (field: string) => ({
    $ref: `plugin-configs.yaml#/PluginConfigSummary/properties/${field}`,
  });
  const { id: ofExample, name: nameOfExample, ...rest } = summary;
  const closed = (properties: Item, required: string[], value: unknown, more: Item = {}) => ({
    type: 'object',
    ...more,
    additionalProperties: false,
    required,
    properties,
    example: value,
  });
  const record = {
    id: field('id'),
    name,
    config_data,
    version: field('version'),
    updated_by: field('updated_by'),
    created_at: field('created_at'),
    updated_at: field('updated_at'),
  };
  const left = {
    not_read: { $ref: 'plugin-configs.yaml#/PluginConfigNotRead' },
    not_read_count: { $ref: 'plugin-configs.yaml#/PluginConfigNotReadCount' },
  };
  const preset = { name: 'Weekend', description: 'For two days. Replaces all rates.', config_data: example };
  return {
    [`${config}IdParameter`]: {
      name: id,
      in: 'path',
      required: true,
      description: "The configuration's id.",
      schema: { type: 'string', format: 'uuid' },
      example: ofExample,
    },
    [config]: closed(record, Object.keys(record), {
      id: ofExample,
      name: nameOfExample,
      config_data: example,
      ...rest,
    }),
    [`${config}Imported`]: closed({ ...record, ...left }, Object.keys({ ...record, ...left }), {
      id: ofExample,
      name: nameOfExample,
      config_data: example,
      ...rest,
      not_read: [],
      not_read_count: 0,
    }),
    [`${config}Create`]: closed({ name, config_data }, ['name', 'config_data'], {
      name: 'Weekend',
      config_data: example,
    }),
    [`${config}Update`]: {
      ...closed(
        { name, config_data },
        [],
        { config_data: example },
        {
          description: 'What is left out stays as it is.',
        },
      ),
      required: undefined,
      minProperties: 1,
    },
    [`${config}Check`]: closed({ config_data }, ['config_data'], { config_data: example }),
    [`${config}Defaults`]: closed({ config_data }, ['config_data'], { config_data: example }),
    [`${config}Preset`]: closed(
      {
        name: text('For people.'),
        description: text('What it is for, and what of a server it replaces.'),
        config_data,
      },
      ['name', 'description', 'config_data'],
      preset,
    ),
    [`${config}Presets`]: closed(
      { data: { type: 'array', items: { $ref: `#/${config}Preset` }, description: 'From mild to wild.' } },
      ['data'],
      { data: [preset] },
    ),
  };
}

/** All generated contract files, by path. */
export async function pluginConfigContract(): Promise<Map<string, string>> {
  const kinds = kindDefinitions.map((kind) => ({ kind, ...examplesOf(kind) }));
  const items = Object.assign(
    {},
    ...kinds.map(({ kind, example, files }) => pathItemsOf(kind, { example, files })),
  ) as Item;
  const schemas = Object.assign({}, ...kinds.map(({ kind, example }) => schemasOf(kind, example))) as Item;
  return new Map([
    [pathsFile, await formatted(pathsFile, note + yaml(items))],
    [schemasFile, await formatted(schemasFile, note + yaml(schemas))],
    [
      contractFile,
      await formatted(contractFile, withPaths(readFileSync(resolve(root, contractFile), 'utf8'))),
    ],
  ]);
}

/** Updates the contract's files for the present kinds. */
export async function writePluginConfigContract(): Promise<void> {
  for (const [file, text] of await pluginConfigContract()) writeFileSync(resolve(root, file), text);
}

/** A configuration, and the files of a server that has it. */
function examplesOf(kind: Kind): { example: unknown; files: unknown } {
  const { FilesExample: files, ...schemas } = parse(
    readFileSync(resolve(root, `openapi/schemas/plugin-configs/${kind.name}.yaml`), 'utf8'),
  ) as Record<string, { example: unknown }>;
  return { example: schemas[namesOf(kind).data]?.example, files };
}

const yaml = (value: unknown) => stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });

async function formatted(file: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(resolve(root, file))), parser: 'yaml' });
}

/** The paths of every kind stand together, between those of plugin events and the public ones. */
function withPaths(contract: string): string {
  const lines = kindDefinitions
    .flatMap((kind) => Object.entries(pathNamesOf(kind)))
    .map(([path, name]) => `  ${path}: { $ref: 'paths/plugin-configs.yaml#/${name}' }\n`);
  const others = contract.replace(/^ {2}\/api\/plugin-configs\/.*\n(?: {4}.*\n)*/gm, (entry) =>
    entry.includes(pathsFile.replace('openapi/', '')) ? '' : entry,
  );
  return others.replace(/^ {2}\/api\/public\/status:/m, (next) => lines.join('') + next);
}
