// Says what the agent's YAML file may contain; the schema is the reference for every key of it.
import type { ErrorObject } from 'ajv/dist/2020.js';
import { ownSchemas } from './own-schemas.ts';
import { SettingError } from './setting-error.ts';

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
export interface FileSettings {
  url?: string;
  token_file?: string;
  state_dir?: string;
  backups_dir?: string;
  hostname?: string;
  log_limit_megabytes: number;
  instances: FileInstance[];
}

const text = { type: 'string', minLength: 1, maxLength: 4096, pattern: '^[^\\u0000]*$' };
const oneLine = { type: 'string', minLength: 1, maxLength: 1000, pattern: '^[^\\u0000-\\u001f\\u007f]+$' };

/** A console command with one placeholder; it never begins with it, so that no value becomes the command. */
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

export const fileSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    url: text,
    token_file: text,
    state_dir: text,
    backups_dir: text,
    hostname: { type: 'string', minLength: 1, maxLength: 253 },
    log_limit_megabytes: { type: 'number', minimum: 1, maximum: 65536, default: 64 },
    instances: { type: 'array', maxItems: 200, items: instance, default: [] },
  },
};

/** Checks the parsed file, fills in the defaults, and names the first thing that is wrong by its pointer. */
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
  if (error.keyword === 'enum')
    return `${pointer}: must be one of ${JSON.stringify(params['allowedValues'])}`;
  return `${pointer}: ${error.message ?? 'is invalid'}`;
}
