// What the platform writes to the terminal: its log, and where to go once it is ready.
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import type { Config } from '../config/index.ts';
import type { Platform } from '../platform.ts';

/** Names under which secrets might be logged by mistake. */
const secretFields = [
  'password',
  'token',
  'secret',
  'authorization',
  'jwt',
  'seed',
  'ticket',
  'setup_token',
  'refresh_token',
  'access_token',
  'companion_token',
];

export function createPlatformLog(level: string, destination: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: { service: 'gantry' },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '[redacted]',
    },
  };
  return pino(options, destination);
}

export function printReady(config: Config, { url, healthUrl, firstUser }: Platform): void {
  const lines = [''];
  if (url === undefined) lines.push(`Gantry runs ${[...config.roles].join(', ')}.`);
  else {
    const base = config.publicUrl ?? url;
    lines.push(`Gantry is ready at ${base}`, `  API documentation   ${base}/api/docs`);
    if (firstUser.kind === 'setup-token')
      lines.push(`  Create the first user   ${base}/setup#${firstUser.token}`);
    if (firstUser.kind === 'created') lines.push(`  First user   ${firstUser.email}`);
  }
  if (healthUrl !== undefined) lines.push(`  Health and metrics   ${healthUrl}/readyz`);
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
