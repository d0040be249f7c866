// Combines flags, environment and the YAML file into one validated Config; no other module reads them.
import { readFileSync } from 'node:fs';
import { hostname as systemHostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { checkFile } from './config-schema.ts';
import type { FileInstance, FileManagedInstances, FileSettings } from './config-schema.ts';
import { nonEmpty, readFlags } from './command-line.ts';
import { refuseOverlap } from './directory-overlap.ts';
import { consoleCommandsOf } from './games.ts';
import type { ConsoleCommands } from './games.ts';
import { refuseLargeReport, Template } from './managed-instances/templates.ts';
import { isMissing, SettingError } from './errors.ts';
import { isEnrolled } from './state-files/enrolment-record.ts';

export interface InstanceConfig {
  name: string;
  game?: string;
  command: string;
  args: string[];
  cwd: string;
  /** Platform users can see and change the files below this directory. */
  root: string;
  env: Record<string, string>;
  stop: { signal: NodeJS.Signals } | { command: string };
  stopGraceMs: number;
  readyAfterMs: number;
  readyPattern?: string;
  isAutostarted: boolean;
  restart: { isOn: boolean; maxAttempts: number; backoffMs: number };
  /** How long the server may take to respond after a wipe. */
  wipeStartMs: number;
  /** WebRCON address of a Rust server, and the file with its password. */
  webrcon?: { host: string; port: number; passwordFile: string };
  console: ConsoleCommands;
  /** Why the instance must not be started, as text for users; undefined when it may be. */
  startObjection?: string;
}

/** Limits and templates for instances that the platform creates on this host. */
export interface ManagedInstanceSettings {
  /** Each instance has a directory with its name in this one. */
  baseDirectory: string;
  maximum: number;
  templates: ReadonlyMap<string, Template>;
  toInstance: (instance: FileInstance) => InstanceConfig;
}

export interface CompanionToken {
  /** The setting that provides the token, with its path if that is a file; used in messages. */
  setting: string;
  /** Reads the token file again. Throws a SettingError when it holds no usable token. */
  read: () => string;
}

export interface Config {
  url: string;
  /** Undefined for a host that was enrolled with a code: it signs in with its own key. */
  companionToken: CompanionToken | undefined;
  hostname: string;
  /** Where this host reaches the bus, in order; what the platform names unless set. */
  busUrls: string[] | undefined;
  stateDirectory: string;
  /** Directory of the backups, with one subdirectory for each instance. */
  backupsDirectory: string;
  logLimitBytes: number;
  /** Whether modules may come from addresses within this host's network; those of the platform always may. */
  allowsPrivateModules: boolean;
  instances: InstanceConfig[];
  /** Undefined unless the file allows the platform to create instances. */
  managedInstances?: ManagedInstanceSettings;
  configFile: { path: string; isPresent: boolean };
  /** Paths that are inaccessible through the platform, even below an instance's root. */
  ownPaths: string[];
  /** Environment of the game servers: the agent's environment without the agent's own settings and secrets. */
  inheritedEnvironment: Record<string, string>;
}

const defaultConfigFile = 'gantry-agent.yaml';

/** `file` is one of several files that `configFilesOf` has found. */
export function readConfig(args: string[], environment: NodeJS.ProcessEnv, file?: string): Config {
  const flags = readFlags(args);
  const namedFile = file ?? flags.config?.[0] ?? nonEmpty(environment['GANTRY_AGENT_CONFIG']);
  const configPath = resolve(namedFile ?? defaultConfigFile);
  const { settings, isPresent } = readFile(
    configPath,
    namedFile ?? defaultConfigFile,
    namedFile !== undefined,
  );
  const fromFile = (path: string) => resolve(dirname(configPath), path);

  const stateFromEnvironment = nonEmpty(environment['GANTRY_AGENT_STATE']);
  const stateDirectory =
    stateFromEnvironment === undefined && settings.state_dir !== undefined
      ? fromFile(settings.state_dir)
      : resolve(stateFromEnvironment ?? '.gantry-agent');
  const instances = settings.instances.map((instance) => toInstance(instance, fromFile));
  const backupsDirectory =
    settings.backups_dir === undefined ? join(stateDirectory, 'backups') : fromFile(settings.backups_dir);
  const shownPath = namedFile ?? defaultConfigFile;
  const managed = managedInstancesOf(settings.managed_instances, { shownPath, fromFile });
  if (managed !== undefined) {
    const others = instances.flatMap(({ name, cwd, root }) => [
      { path: cwd, owner: `the instance "${name}"` },
      { path: root, owner: `the instance "${name}"` },
    ]);
    refuseOverlap(`${shownPath} /managed_instances/base_directory`, managed.baseDirectory, [
      { path: stateDirectory, owner: 'state_dir' },
      { path: backupsDirectory, owner: 'backups_dir' },
      ...others,
    ]);
  }
  return {
    url: checkUrl(
      flags.url ?? nonEmpty(environment['GANTRY_URL']) ?? settings.url ?? 'http://127.0.0.1:3000',
    ),
    companionToken: companionTokenOf(
      flags.token,
      nonEmpty(environment['GANTRY_COMPANION_TOKEN']),
      settings.token_file === undefined ? undefined : fromFile(settings.token_file),
      isEnrolled(stateDirectory),
    ),
    hostname: checkHostname(
      flags.hostname ??
        nonEmpty(environment['GANTRY_AGENT_HOSTNAME']) ??
        settings.hostname ??
        systemHostname(),
    ),
    busUrls: settings.bus_urls,
    stateDirectory,
    backupsDirectory,
    ownPaths: [
      stateDirectory,
      backupsDirectory,
      configPath,
      ...(settings.token_file === undefined ? [] : [fromFile(settings.token_file)]),
      ...instances.flatMap(({ webrcon }) => webrcon?.passwordFile ?? []),
      ...Object.values(settings.managed_instances?.templates ?? {}).flatMap(({ webrcon }) =>
        webrcon === undefined ? [] : [fromFile(webrcon.password_file)],
      ),
    ],
    logLimitBytes: Math.round(settings.log_limit_megabytes * 1024 * 1024),
    allowsPrivateModules: settings.private_module_addresses,
    instances,
    ...(managed !== undefined && { managedInstances: managed }),
    configFile: { path: configPath, isPresent },
    inheritedEnvironment: withoutOwnSettings(environment),
  };
}

function readFile(
  path: string,
  shownPath: string,
  isRequired: boolean,
): { settings: FileSettings; isPresent: boolean } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error) && !isRequired) return { settings: checkFile({}, shownPath), isPresent: false };
    const cause = isMissing(error)
      ? 'there is no such file'
      : error instanceof Error
        ? error.message
        : 'cannot be read';
    throw new SettingError(`--config (GANTRY_AGENT_CONFIG) ${shownPath}: ${cause}`);
  }
  let parsed: unknown;
  try {
    parsed = parseYaml(text);
  } catch (error) {
    const [firstLine] = (error instanceof Error ? error.message : 'is no YAML').split('\n');
    throw new SettingError(`${shownPath}: ${(firstLine ?? '').replace(/:$/, '')}`);
  }
  return { settings: checkFile(parsed, shownPath), isPresent: true };
}

function managedInstancesOf(
  settings: FileManagedInstances | undefined,
  { shownPath, fromFile }: { shownPath: string; fromFile: (path: string) => string },
): ManagedInstanceSettings | undefined {
  if (settings === undefined) return undefined;
  const templates = Object.entries(settings.templates).map(
    ([name, template]) => new Template(name, template, shownPath),
  );
  refuseLargeReport(templates, shownPath);
  return {
    baseDirectory: fromFile(settings.base_directory),
    maximum: settings.maximum,
    templates: new Map(templates.map((template) => [template.name, template])),
    toInstance: (instance) => toInstance(instance, fromFile),
  };
}

function toInstance(instance: FileInstance, fromFile: (path: string) => string): InstanceConfig {
  return {
    name: instance.name,
    ...(instance.game === undefined ? {} : { game: instance.game }),
    command: instance.command,
    args: instance.args,
    cwd: fromFile(instance.cwd ?? '.'),
    root: fromFile(instance.root ?? instance.cwd ?? '.'),
    env: instance.env,
    stop: instance.stop,
    stopGraceMs: instance.stop_grace_seconds * 1000,
    readyAfterMs: instance.ready_after_seconds * 1000,
    ...(instance.ready_pattern === undefined ? {} : { readyPattern: instance.ready_pattern }),
    isAutostarted: instance.autostart,
    restart: {
      isOn: instance.restart.on_crash,
      maxAttempts: instance.restart.max_attempts,
      backoffMs: instance.restart.backoff_seconds * 1000,
    },
    wipeStartMs: instance.wipe_start_seconds * 1000,
    console: consoleCommandsOf(instance),
    ...(instance.webrcon === undefined
      ? {}
      : {
          webrcon: {
            host: instance.webrcon.host,
            port: instance.webrcon.port,
            passwordFile: fromFile(instance.webrcon.password_file),
          },
        }),
  };
}

export function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.username !== '' ||
    url.password !== ''
  ) {
    throw new SettingError(
      `--url (GANTRY_URL, url) must be an http or https URL without a user, not "${text}"`,
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function companionTokenOf(
  flag: string | undefined,
  variable: string | undefined,
  file: string | undefined,
  hasOwnCredential: boolean,
): CompanionToken | undefined {
  const token = flag ?? variable;
  if (token !== undefined) {
    const setting = flag === undefined ? 'GANTRY_COMPANION_TOKEN' : '--token';
    const checked = checkToken(token, setting);
    return { setting, read: () => checked };
  }
  if (file === undefined) {
    if (hasOwnCredential) return undefined;
    throw new SettingError(
      'GANTRY_COMPANION_TOKEN (--token, token_file) is missing: make a companion token on the platform, or enroll this host with a code',
    );
  }
  const setting = `token_file ${file}`;
  const read = () => checkToken(readToken(file), setting);
  read();
  return { setting, read };
}

function readToken(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new SettingError(
      `token_file ${path}: ${error instanceof Error ? error.message : 'cannot be read'}`,
    );
  }
}

function checkToken(token: string, setting: string): string {
  if (token === '') throw new SettingError(`${setting} is empty: make a companion token on the platform`);
  if (!/^[\x21-\x7e]{1,4096}$/.test(token))
    throw new SettingError(`${setting} contains characters that are not allowed in tokens`);
  return token;
}

export function checkHostname(hostname: string): string {
  if (!/^[^\p{Cc}]{1,253}$/u.test(hostname)) {
    throw new SettingError(
      '--hostname (GANTRY_AGENT_HOSTNAME, hostname) must have 1 to 253 printable characters',
    );
  }
  return hostname;
}

function withoutOwnSettings(environment: NodeJS.ProcessEnv): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const [key, value] of Object.entries(environment)) {
    if (value !== undefined && !key.startsWith('GANTRY_')) inherited[key] = value;
  }
  return inherited;
}
