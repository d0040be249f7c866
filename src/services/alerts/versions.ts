// Compares agent versions as semantic versions, and reads the version of the shipped agent.
import { readFileSync } from 'node:fs';

const shape = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(-[0-9A-Za-z.-]{1,40})?(?:\+[0-9A-Za-z.-]{1,40})?$/;

/** Whether `version` precedes `other`; null if either is not a version. A pre-release precedes its release. */
export function isOlder(version: string, other: string): boolean | null {
  const [one, two] = [shape.exec(version), shape.exec(other)];
  if (one === null || two === null) return null;
  for (const index of [1, 2, 3]) {
    const difference = Number(one[index]) - Number(two[index]);
    if (difference !== 0) return difference < 0;
  }
  return one[4] !== undefined && two[4] === undefined;
}

/** Returns the version of the agent that ships with the platform. */
export function agentVersion(): string {
  const manifest = new URL('../../../agent/package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return version;
}
