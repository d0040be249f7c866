// Defines the schema of the agent's YAML file, which is the reference for every key.
import type { ErrorObject } from 'ajv/dist/2020.js';
import { ownSchemas } from './messages.ts';
import { SettingError } from './errors.ts';

export interface FileInstance {
  name: string;
  game?: string;
  command: string;
  args: string[];
  cwd?: string;
  root?: string;
  env: Record<string, string>;
  stop: { signal: NodeJS.Signals } | { command: string };
  stop_grace_seconds: number;
  ready_after_seconds: number;
  ready_pattern?: string;
  autostart: boolean;
  restart: { on_crash: boolean; max_attempts: number; backoff_seconds: number };
  wipe_start_seconds: number;
  webrcon?: { host: string; port: number; password_file: string };
  console: {
    input?: boolean;
    announce?: string | null;
    save?: string | null;
    reload_plugin?: string | null;
  };
}
export interface FileParameter {
  type: 'integer' | 'port' | 'choice' | 'text';
  description?: string;
  minimum?: number;
  maximum?: number;
  choices?: (string | number)[];
  max_length?: number;
  default?: string | number;
}
/** An instance without the settings that are specific to each instance created from it. */
export interface FileTemplate extends Omit<FileInstance, 'name' | 'cwd' | 'root' | 'webrcon'> {
  description?: string;
  parameters: Record<string, FileParameter>;
  webrcon?: { host: string; port: number | string; password_file: string };
}
export interface FileManagedInstances {
  base_directory: string;
  maximum: number;
  templates: Record<string, FileTemplate>;
}
export interface FileSettings {
  url?: string;
  token_file?: string;
  state_dir?: string;
  backups_dir?: string;
  hostname?: string;
  bus_urls?: string[];
  log_limit_megabytes: number;
  private_module_addresses: boolean;
  instances: FileInstance[];
  managed_instances?: FileManagedInstances;
}

const text = { type: 'string', minLength: 1, maxLength: 4096, pattern: '^[^\\u0000]*$' };
const oneLine = { type: 'string', minLength: 1, maxLength: 1000, pattern: '^[^\\u0000-\\u001f\\u007f]+$' };

/** A console command with one placeholder. It cannot begin with it, so that no value becomes the command. */
const commandAbout = (placeholder: string) => ({
  ...oneLine,
  type: ['string', 'null'],
  pattern: `^[^\\s{}"\\u0000-\\u001f\\u007f][^{}\\u0000-\\u001f\\u007f]*\\{${placeholder}\\}[^{}\\u0000-\\u001f\\u007f]*$`,
});

const instance = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'command'],
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' },
    game: { type: 'string', maxLength: 64, pattern: '^[a-z0-9][a-z0-9_-]*$' },
    command: text,
    args: { type: 'array', maxItems: 1000, items: { type: 'string', pattern: '^[^\\u0000]*$' }, default: [] },
    cwd: text,
    root: text,
    env: {
      type: 'object',
      propertyNames: { pattern: '^[^=\\u0000]+$' },
      additionalProperties: { type: 'string', pattern: '^[^\\u0000]*$' },
      default: {},
    },
    stop: {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      properties: {
        signal: { enum: ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGKILL'] },
        command: oneLine,
      },
      default: { signal: 'SIGTERM' },
    },
    stop_grace_seconds: { type: 'number', minimum: 0, maximum: 3600, default: 30 },
    ready_after_seconds: { type: 'number', minimum: 0, maximum: 3600, default: 2 },
    ready_pattern: oneLine,
    autostart: { type: 'boolean', default: false },
    restart: {
      type: 'object',
      additionalProperties: false,
      properties: {
        on_crash: { type: 'boolean', default: true },
        max_attempts: { type: 'integer', minimum: 0, maximum: 1000, default: 5 },
        backoff_seconds: { type: 'number', minimum: 0, maximum: 60, default: 2 },
      },
      default: {},
    },
    wipe_start_seconds: { type: 'number', minimum: 1, maximum: 86400, default: 1800 },
    webrcon: {
      type: 'object',
      additionalProperties: false,
      required: ['port', 'password_file'],
      properties: {
        host: { type: 'string', minLength: 1, maxLength: 253, default: '127.0.0.1' },
        port: { type: 'integer', minimum: 1, maximum: 65535 },
        password_file: text,
      },
    },
    console: {
      type: 'object',
      additionalProperties: false,
      properties: {
        input: { type: 'boolean' },
        announce: commandAbout('message'),
        save: { ...oneLine, type: ['string', 'null'] },
        reload_plugin: commandAbout('plugin'),
      },
      default: {},
    },
  },
};

const { name: _name, cwd: _cwd, root: _root, webrcon, ...templated } = instance.properties;
const shortLine = { ...oneLine, maxLength: 200 };

const parameter = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: {
    type: { enum: ['integer', 'port', 'choice', 'text'] },
    description: shortLine,
    minimum: { type: 'integer', minimum: -999_999_999_999_999 },
    maximum: { type: 'integer', maximum: 999_999_999_999_999 },
    choices: {
      type: 'array',
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      items: { type: ['string', 'integer'], maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f]+$' },
    },
    max_length: { type: 'integer', minimum: 1, maximum: 200 },
    default: { type: ['string', 'integer'] },
  },
};

const template = {
  type: 'object',
  additionalProperties: false,
  required: ['command'],
  properties: {
    ...templated,
    description: shortLine,
    parameters: {
      type: 'object',
      maxProperties: 20,
      propertyNames: { pattern: '^[a-z][a-z0-9_]{0,31}$' },
      additionalProperties: parameter,
      default: {},
    },
    webrcon: {
      ...webrcon,
      properties: {
        ...webrcon.properties,
        port: {
          type: ['integer', 'string'],
          minimum: 1,
          maximum: 65535,
          pattern: '^\\{\\{[a-z][a-z0-9_]{0,31}\\}\\}$',
        },
      },
    },
  },
};

const managedInstances = {
  type: 'object',
  additionalProperties: false,
  required: ['base_directory', 'templates'],
  properties: {
    base_directory: text,
    maximum: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    templates: {
      type: 'object',
      minProperties: 1,
      maxProperties: 20,
      propertyNames: { pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' },
      additionalProperties: template,
    },
  },
};

export const fileSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    url: text,
    token_file: text,
    state_dir: text,
    backups_dir: text,
    hostname: { type: 'string', minLength: 1, maxLength: 253 },
    // Either over TCP or over WebSockets: a connection cannot change from one to the other.
    bus_urls: {
      type: 'array',
      minItems: 1,
      maxItems: 50,
      anyOf: [
        { items: { type: 'string', pattern: '^(nats|tls)://[^/@]+$' } },
        { items: { type: 'string', pattern: '^wss?://[^/@]+' } },
      ],
    },
    log_limit_megabytes: { type: 'number', minimum: 1, maximum: 65536, default: 64 },
    private_module_addresses: { type: 'boolean', default: false },
    instances: { type: 'array', maxItems: 200, items: instance, default: [] },
    managed_instances: managedInstances,
  },
};

/** Validates the parsed file, applies the defaults, and reports the first error with its pointer. */
export function checkFile(parsed: unknown, shownPath: string): FileSettings {
  const settings = parsed ?? {};
  const validate = ownSchemas({ useDefaults: true }).compile<FileSettings>(fileSchema);
  if (!validate(settings)) {
    const [error] = validate.errors ?? [];
    throw new SettingError(`${shownPath} ${error === undefined ? 'is invalid' : inWords(error)}`);
  }
  const seen = new Set<string>();
  for (const [index, { name }] of settings.instances.entries()) {
    if (seen.has(name))
      throw new SettingError(`${shownPath} /instances/${index}/name: "${name}" is used twice`);
    seen.add(name);
  }
  return settings;
}

function inWords(error: ErrorObject): string {
  const pointer = error.instancePath === '' ? '/' : error.instancePath;
  const params: Record<string, unknown> = error.params;
  if (error.keyword === 'additionalProperties')
    return `${pointer}: unknown key "${String(params['additionalProperty'])}"`;
  if (error.keyword === 'required') return `${pointer}: "${String(params['missingProperty'])}" is missing`;
  if (error.keyword === 'propertyNames') return `${pointer}: "${String(params['propertyName'])}" is no name`;
  if (error.keyword === 'enum')
    return `${pointer}: must be one of ${JSON.stringify(params['allowedValues'])}`;
  return `${pointer}: ${error.message ?? 'is invalid'}`;
}
