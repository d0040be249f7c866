// The commands of an action on many servers, read together until all have finished.
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/operations.ts';
import { read } from '../../api/reading.ts';
import { isRequested, type BulkRun } from './bulk-run.ts';

type Command = Schemas['Command'];

const everyMs = 1_500;
/** Commands of others are in the list, too. */
const maxExtraPages = 5;
const perPage = 100;

export function useCommands({ startedAt, items }: BulkRun): ReadonlyMap<string, Command> {
  const ids = items.flatMap(({ commandId }) => (commandId === undefined ? [] : [commandId]));
  const { data } = useQuery({
    queryKey: ['/api/commands', { bulk: startedAt }],
    queryFn: ({ signal }) => find(new Set(ids), signal),
    enabled: ids.length > 0,
    refetchInterval: ({ state }) => {
      const known = state.data;
      const isDone = ids.every((id) => typeof known?.get(id)?.finished_at === 'string');
      return isDone && items.every(isRequested) ? false : everyMs;
    },
  });
  return data ?? new Map<string, Command>();
}

/** Reads the newest commands until all of these are found. */
async function find(wanted: ReadonlySet<string>, signal: AbortSignal): Promise<Map<string, Command>> {
  const found = new Map<string, Command>();
  let cursor: string | undefined;
  const maxPages = Math.ceil(wanted.size / perPage) + maxExtraPages;
  for (let page = 0; page < maxPages && found.size < wanted.size; page += 1) {
    const query = { limit: perPage, ...(cursor !== undefined && { cursor }) };
    const { data, next_cursor } = await read('/api/commands', { params: { query } }, signal);
    for (const command of data) if (wanted.has(command.id)) found.set(command.id, command);
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  return found;
}
