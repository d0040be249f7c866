// Splits the output of a script that prints several parts, each under a line with a random mark and its name.
import { randomUUID } from 'node:crypto';
import type { GuestShell } from './guest-shell.ts';

/** Begins a script that takes the mark as its first value and calls `section NAME` before each part. */
const sectionFunction = `
mark=$1
shift
section() { printf '\\n%s %s\\n' "$mark" "$1"; }
`;

/** Runs such a script and returns its parts by their names. */
export async function readSections(
  shell: GuestShell,
  script: string,
  values: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const mark = `--${randomUUID()}`;
  const text = await shell.read({ script: `${sectionFunction}${script}`, values: [mark, ...values] });
  return new Map(
    text
      .split(`\n${mark} `)
      .slice(1)
      .map((section): [string, string] => {
        const end = section.indexOf('\n');
        return end < 0 ? [section.trim(), ''] : [section.slice(0, end), section.slice(end + 1).trim()];
      }),
  );
}
