// Creates the agent's log: JSON lines in the platform's format, with secrets redacted.
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

/** Field names that are redacted, in case a secret is logged by mistake. */
const secretFields = ['token', 'companion_token', 'authorization', 'jwt', 'seed', 'password', 'secret'];
const deepest = 3;

export function createAgentLog(destination: DestinationStream): Logger {
  const depths = Array.from({ length: deepest }, (_, depth) => '*.'.repeat(depth));
  return pino(
    {
      base: { service: 'gantry-agent' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: depths.flatMap((path) => secretFields.map((field) => `${path}${field}`)),
        censor: '[redacted]',
      },
    },
    destination,
  );
}
