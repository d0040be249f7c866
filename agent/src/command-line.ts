// Reads the command line: flags, and the configuration files that it names.
import { parseArgs } from 'node:util';
import { SettingError } from './errors.ts';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function readFlags(args: string[]): {
  config?: string[];
  url?: string;
  token?: string;
  hostname?: string;
} {
  try {
    return parseArgs({
      args,
      options: {
        config: { type: 'string', multiple: true },
        url: { type: 'string' },
        token: { type: 'string' },
        hostname: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new SettingError(error instanceof Error ? error.message : 'The flags are invalid.');
  }
}

export function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

/** Returns the files of several enrolments. Empty when there is at most one file, which `readConfig` finds itself. */
export function configFilesOf(args: string[], environment: NodeJS.ProcessEnv): string[] {
  const { config = [], token, hostname } = readFlags(args);
  const named = config.length > 0 ? config : [nonEmpty(environment['GANTRY_AGENT_CONFIG']) ?? []].flat();
  const files = named.flatMap(filesAt);
  const isDirectory = files.length > 0 && files[0] !== named[0];
  if (files.length < 2 && !isDirectory) return [];
  const ofOne = [
    ...(token === undefined ? [] : ['--token']),
    ...(hostname === undefined ? [] : ['--hostname']),
    ...['GANTRY_COMPANION_TOKEN', 'GANTRY_AGENT_STATE', 'GANTRY_AGENT_HOSTNAME'].filter(
      (name) => nonEmpty(environment[name]) !== undefined,
    ),
  ];
  if (ofOne.length > 0)
    throw new SettingError(`${ofOne.join(', ')}: with several configuration files, each file has its own`);
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw new SettingError(`--config ${twice} is named twice`);
  return files;
}

/** Returns the file itself, or every YAML file in the directory, sorted by name. */
function filesAt(path: string): string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const names = readdirSync(path).filter((name) => /\.ya?ml$/.test(name));
  if (names.length === 0) throw new SettingError(`--config ${path}: there is no YAML file in this directory`);
  return names.toSorted().map((name) => join(path, name));
}
