// Stores the changes to an instance's configured start parameters, and applies them to its arguments.
import { readFileSync } from 'node:fs';
import { replaceDurably } from '../state-files/durable-file.ts';
import type { Schemas } from '../messages.ts';
import { ownSchemas } from '../messages.ts';
import { isMissing } from '../errors.ts';

/** Either a map generated from seed and size, or a downloaded one. */
export interface LaunchSettings {
  seed?: number;
  world_size?: number;
  level_url?: string;
}

type Parameter = keyof LaunchSettings;

const names: Readonly<Record<Parameter, string>> = {
  seed: 'server.seed',
  world_size: 'server.worldsize',
  level_url: 'server.levelurl',
};

const isSettings = ownSchemas().compile<LaunchSettings>({
  type: 'object',
  additionalProperties: false,
  properties: {
    seed: { type: 'integer' },
    world_size: { type: 'integer' },
    level_url: { type: 'string' },
  },
});

export class LaunchSettingsFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws a readable error on a damaged file: starting without the settings would generate the wrong map. */
  read(): LaunchSettings {
    let value: unknown;
    try {
      value = JSON.parse(readFileSync(this.#path, 'utf8'));
    } catch (error) {
      if (isMissing(error)) return {};
      throw new Error('The changed start parameters cannot be read.', { cause: error });
    }
    if (!isSettings(value)) throw new Error('The changed start parameters are not understood.');
    return value;
  }

  write(settings: LaunchSettings): Promise<void> {
    return replaceDurably(this.#path, JSON.stringify(settings));
  }
}

/** Returns the settings after these changes. A downloaded map has no seed and no size. */
export function changedSettings(
  current: LaunchSettings,
  { seed, world_size, level_url }: { [Name in Parameter]?: LaunchSettings[Name] | undefined },
): LaunchSettings {
  if (level_url !== undefined) return { level_url };
  if (seed === undefined && world_size === undefined) return current;
  const { level_url: _gone, ...generated } = current;
  return {
    ...generated,
    ...(seed !== undefined && { seed }),
    ...(world_size !== undefined && { world_size }),
  };
}

/** Returns the arguments with the settings replacing the ones they override. */
export function argumentsWith(args: readonly string[], settings: LaunchSettings): string[] {
  const { seed, world_size, level_url } = settings;
  if (level_url !== undefined)
    return [...without(args, ['seed', 'world_size', 'level_url']), `+${names.level_url}`, level_url];
  const changed: Parameter[] = [
    ...(seed === undefined ? [] : ['seed' as const]),
    ...(world_size === undefined ? [] : ['world_size' as const]),
  ];
  if (changed.length === 0) return [...args];
  return [
    ...without(args, [...changed, 'level_url']),
    ...changed.flatMap((parameter) => [`+${names[parameter]}`, String(settings[parameter])]),
  ];
}

/** Returns the map parameters that the arguments contain. */
export function launchParametersOf(args: readonly string[]): Schemas['LaunchParameters'] {
  const level_url = valueOf(args, names.level_url) ?? '';
  return {
    seed: wholeNumber(valueOf(args, names.seed)),
    world_size: wholeNumber(valueOf(args, names.world_size)),
    level_url: level_url === '' ? null : level_url.slice(0, 2048),
  };
}

/** Returns the value of the last argument with that name, which is the one that takes effect. */
export function valueOf(args: readonly string[], name: string): string | undefined {
  const at = args.findLastIndex((arg) => isNamed(arg, name));
  return at === -1 || !isValue(args[at + 1]) ? undefined : args[at + 1];
}

function without(args: readonly string[], parameters: readonly Parameter[]): string[] {
  const isGone = (arg: string | undefined) =>
    parameters.some((parameter) => arg !== undefined && isNamed(arg, names[parameter]));
  return args.filter((arg, index) => !isGone(arg) && !(isGone(args[index - 1]) && isValue(arg)));
}

const isNamed = (arg: string, name: string) => /^[+-]/.test(arg) && arg.slice(1).toLowerCase() === name;

/** An argument that looks like another parameter is not a value. */
const isValue = (arg: string | undefined) => arg !== undefined && !/^[+-][A-Za-z]/.test(arg);

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
