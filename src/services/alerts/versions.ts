// Versions of agents, compared as semantic versions are.
import { readFileSync } from 'node:fs';

const shape = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(-[0-9A-Za-z.-]{1,40})?(?:\+[0-9A-Za-z.-]{1,40})?$/;

/** Whether the first comes before the second; null when one of them is no version. A pre-release comes before its release. */
export function isOlder(version: string, other: string): boolean | null {
  const [one, two] = [shape.exec(version), shape.exec(other)];
  if (one === null || two === null) return null;
  for (const index of [1, 2, 3]) {
    const difference = Number(one[index]) - Number(two[index]);
    if (difference !== 0) return difference < 0;
  }
  return one[4] !== undefined && two[4] === undefined;
}

/** That of the agent which comes with the platform. */
export function agentVersion(): string {
  const manifest = new URL('../../../agent/package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return version;
}
