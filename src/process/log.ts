// The platform's log: JSON lines without secrets.
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

/** Field names under which secrets might be logged by mistake. */
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
