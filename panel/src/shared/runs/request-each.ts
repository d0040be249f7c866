// Requests the same for each server of a run, several at a time.
import { reasonOf } from '../../api/problem.ts';
import { isUnreachable } from '../../api/unreachable.ts';
import { inParallel } from '../parallel.ts';
import type { RunItem, RunWork } from './run-store.ts';

export const requestEach = <Item extends RunItem>(
  items: readonly Item[],
  { isWanted, record }: RunWork,
  request: (item: Item) => Promise<{ id: string }>,
): Promise<void> =>
  inParallel(items, async (item) => {
    if (!isWanted()) return;
    try {
      record(item.instanceId, { acceptedId: (await request(item)).id });
    } catch (error) {
      recordRefusal([item], error as Error, record);
    }
  });

/** Without a connection the platform has refused nothing, and the items stay as they are. */
export function recordRefusal(items: readonly RunItem[], error: Error, record: RunWork['record']): void {
  if (isUnreachable(error)) return;
  for (const { instanceId } of items) record(instanceId, { refusal: reasonOf(error) });
}
