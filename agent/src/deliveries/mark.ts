// The marks that a delivery leaves in the console of a Rust server, and what they tell of it afterwards.
import { fieldsOf, parsed } from '../rcon/frames.ts';
import type { Rcon } from '../rcon/rcon.ts';

/** Left before anything is typed, right before the first command, and right behind the last. */
type Mark = 'prepared' | 'begun' | 'delivery';

const markOf = (mark: Mark, id: string) => `gantry-${mark} ${id}`;

/** The command that leaves it. */
export const marking = (mark: Mark, id: string): string => `echo ${markOf(mark, id)}`;

/** Whether the server has said it. */
export const isMark = (line: string, mark: Mark, id: string): boolean => line.trim() === markOf(mark, id);

/** How far the server has come: `untaken` where it is sure that it has taken nothing. */
export type Trace = 'whole' | 'in_part' | 'untaken' | 'unknown';

/**
 * The console keeps only so much, and forgets the oldest line first: as long as the oldest mark is there, one that is
 * missing was never left.
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
