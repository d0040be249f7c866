// Parses the agent's command-line flags and environment settings.
import { parseArgs } from 'node:util';
import { SettingError } from './setting-error.ts';

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
