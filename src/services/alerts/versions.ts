// Reads the version of the agent that ships with the platform.
import { readFileSync } from 'node:fs';

/** Returns the version of the agent that ships with the platform. */
export function agentVersion(): string {
  const manifest = new URL('../../../agent/package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return version;
}
