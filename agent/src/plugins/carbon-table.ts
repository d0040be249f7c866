// Parses the table that Carbon prints when it has no JSON output: columns aligned below their headings.
import { linesIn, pluginOf, type InstalledPlugin } from './installed-plugin.ts';

/** State of the plugins in the rows below a heading. */
type Section = 'loaded' | 'unloaded' | 'failed';

interface Heading {
  section: Section;
  /** Start position of each column. */
  starts: number[];
}

/** Returns null when the text contains no such table. */
export function readCarbonTable(text: string): InstalledPlugin[] | null {
  let heading: Heading | null = null;
  const found: InstalledPlugin[] = [];
  for (const line of linesIn(text)) {
    const next = headingIn(line);
    if (next !== null) heading = next;
    else if (heading !== null && line.trim() !== '') readRow(cellsOf(line, heading), heading.section, found);
  }
  return heading === null ? null : found;
}

function headingIn(line: string): Heading | null {
  const section = /^\s*#\s+package\s+author\s+version\b/i.test(line)
    ? 'loaded'
    : /^\s*\*\s+unloaded plugins\b/i.test(line)
      ? 'unloaded'
      : /^\s*\*\s+failed plugins\b/i.test(line)
        ? 'failed'
        : null;
  if (section === null) return null;
  // Words within a heading are separated by one space; columns by two or more, or by a leading sign.
  const starts = [...line.matchAll(/(?:^|(?<= {2})|(?<=[#*] ))\S/g)].map(({ index }) => index);
  return { section, starts };
}

function cellsOf(line: string, { starts }: Heading): string[] {
  return starts.map((start, column) => line.slice(start, starts[column + 1]).trim());
}

function readRow(
  [number = '', first = '', ...rest]: string[],
  section: Section,
  found: InstalledPlugin[],
): void {
  const [second = '', third = '', fourth = ''] = rest;
  if (section === 'loaded') {
    // A numbered row is a package; its plugins are in the rows below.
    if (number === '' && first !== '')
      found.push(
        ...pluginOf({ state: 'loaded', title: first, author: second, version: third.replace(/^v/, '') }),
      );
    return;
  }
  const last = found.at(-1);
  if (section === 'unloaded') found.push(...pluginOf({ state: 'unloaded', file: first }));
  else if (first === '' && last?.state === 'failed')
    Object.assign(last, { error: `${last.error} ${fourth}`.slice(0, 300) });
  else found.push(...pluginOf({ state: 'failed', file: first, error: `${fourth} (${second},${third})` }));
}
