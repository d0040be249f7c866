// The marks that a delivery leaves in the console of a Rust server, and what they reveal about it afterwards.
import { fieldsOf, parsed } from '../rcon/frames.ts';
import type { Rcon } from '../rcon/rcon.ts';

/** `prepared` before anything is typed, `begun` right before the first command, `delivery` right after the last. */
type Mark = 'prepared' | 'begun' | 'delivery';

const markOf = (mark: Mark, id: string) => `gantry-${mark} ${id}`;

export const marking = (mark: Mark, id: string): string => `echo ${markOf(mark, id)}`;

/** Whether the server has printed the mark. */
export const isMark = (line: string, mark: Mark, id: string): boolean => line.trim() === markOf(mark, id);

/** How much the server has received; `untaken` when it certainly received nothing. */
export type Trace = 'whole' | 'in_part' | 'untaken' | 'unknown';

/**
 * The console keeps a limited number of lines and drops the oldest first. While the oldest mark is there, a missing
 * mark was never printed.
 */
export async function traceOf(rcon: Pick<Rcon, 'request'>, id: string): Promise<Trace> {
  const found = parsed(await rcon.request(`console.search ${id}`));
  if (!Array.isArray(found)) return 'unknown';
  const lines = found.map((entry: unknown) => String(fieldsOf(entry).get('Message')));
  const has = (mark: Mark) => lines.some((line) => isMark(line, mark, id));
  if (has('delivery')) return 'whole';
  if (has('begun')) return 'in_part';
  return has('prepared') ? 'untaken' : 'unknown';
}
