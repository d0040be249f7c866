// The mark that a delivery leaves in the console of a Rust server, and looking for it there afterwards.
import { randomUUID } from 'node:crypto';
import { fieldsOf, parsed } from '../rcon/frames.ts';
import type { Rcon } from '../rcon/rcon.ts';

const markOf = (id: string) => `gantry-delivery ${id}`;

/** The command that leaves it. */
export const marking = (id: string): string => `echo ${markOf(id)}`;

/** Whether the server has said it. */
export const isMark = (line: string, id: string): boolean => line.trim() === markOf(id);

/** Whether the server's console has the mark. */
export async function hasMark(rcon: Pick<Rcon, 'request'>, id: string): Promise<boolean> {
  const found = parsed(await rcon.request(`console.search ${id}`));
  if (!Array.isArray(found)) return false;
  return found.some((entry: unknown) => isMark(String(fieldsOf(entry).get('Message')), id));
}

/** Whether a mark that was left would be found: only then says its absence something. */
export async function keepsMarks(rcon: Pick<Rcon, 'request'>): Promise<boolean> {
  const probe = randomUUID();
  await rcon.request(marking(probe));
  return hasMark(rcon, probe);
}
