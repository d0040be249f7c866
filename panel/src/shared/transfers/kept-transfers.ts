// What a tab keeps of its transfers while its page is reloaded: their names and how far they were, never their files.
import * as v from 'valibot';
import { draftKey, readTabDraft, writeTabDraft } from '../draft-storage.ts';

const keptTransfers = v.array(
  v.object({
    direction: v.picklist(['upload', 'download']),
    name: v.string(),
    place: v.string(),
    startedAt: v.pipe(v.string(), v.startsWith('/')),
    bytes: v.number(),
    totalBytes: v.nullable(v.number()),
  }),
);

export type KeptTransfer = v.InferOutput<typeof keptTransfers>[number];

const maxCount = 100;

const keyOf = (): string => draftKey('transfers');

export function keepTransfers(transfers: readonly KeptTransfer[]): void {
  const kept = v.parse(keptTransfers, transfers.slice(0, maxCount));
  writeTabDraft(keyOf(), kept.length === 0 ? null : JSON.stringify(kept));
}

/** Those of the signed-in user in their license, once. */
export function takeKeptTransfers(): KeptTransfer[] {
  const kept = readTabDraft(keyOf());
  writeTabDraft(keyOf(), null);
  return kept === null ? [] : v.parse(keptTransfers, JSON.parse(kept));
}
