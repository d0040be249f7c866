// The commands of an action on many servers, read together until all have finished.
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import type { Schemas } from '../../api/operations.ts';
import type { BulkRun } from './bulk-run.ts';

type Command = Schemas['Command'];

const everyMs = 1_500;
/** Commands of others are in the list, too. */
const maxExtraPages = 5;
const perPage = 100;

export function useCommands({ startedAt, items }: BulkRun): ReadonlyMap<string, Command> {
  const ids = items.flatMap(({ commandId }) => (commandId === undefined ? [] : [commandId]));
  const { data } = useQuery({
    queryKey: ['/api/commands', { bulk: startedAt }],
    queryFn: ({ signal }) => read(new Set(ids), signal),
    enabled: ids.length > 0,
    refetchInterval: ({ state }) => {
      const known = state.data;
      const isDone =
        ids.length === items.length && ids.every((id) => typeof known?.get(id)?.finished_at === 'string');
      return isDone ? false : everyMs;
    },
  });
  return data ?? new Map<string, Command>();
}

/** Reads the newest commands until all of these are found. */
async function read(wanted: ReadonlySet<string>, signal: AbortSignal): Promise<Map<string, Command>> {
  const found = new Map<string, Command>();
  let cursor: string | undefined;
  const maxPages = Math.ceil(wanted.size / perPage) + maxExtraPages;
  for (let page = 0; page < maxPages && found.size < wanted.size; page += 1) {
    const { data } = await client.GET('/api/commands', {
      params: { query: { limit: perPage, ...(cursor !== undefined && { cursor }) } },
      signal,
    });
    for (const command of data.data) if (wanted.has(command.id)) found.set(command.id, command);
    if (data.next_cursor === null) break;
    cursor = data.next_cursor;
  }
  return found;
}
