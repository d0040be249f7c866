// Reports the result of a wipe and cleans up after it, with retries.
import { untilDone } from '../backoff.ts';
import type { WipeParts } from './wipe-parts.ts';
import type { WipeRecord } from './wipe-record.ts';

/** Resolves once the result is stored for delivery and no set-aside files remain hidden. */
export async function settle(record: WipeRecord, parts: WipeParts, closed: AbortSignal): Promise<void> {
  const told = untilDone(
    () => parts.report(record),
    closed,
    (error) => parts.log.error({ wipe_id: record.id, err: error }, 'the end of a wipe cannot be kept yet'),
  );
  await Promise.all([told, clearAway(record, parts)]);
}

async function clearAway({ id, status }: WipeRecord, parts: WipeParts): Promise<void> {
  const folder = parts.folder();
  if (status !== 'failed')
    try {
      await folder.discard(id);
      return;
    } catch (error) {
      parts.log.error({ wipe_id: id, err: error }, 'what a wipe has set aside cannot be deleted');
    }
  await folder.reveal(id);
}
