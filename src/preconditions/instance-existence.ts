// Throws unless the given game instances exist in the license.
import type { Queries } from '../database/reader.ts';
import { notFound } from '../errors.ts';

export async function refuseUnknownInstance(queries: Queries, id: string): Promise<void> {
  const instance = await queries
    .selectFrom('game_instance')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (instance === undefined) throw notFound('instance');
}
