// What a tab keeps of its transfers while its page is reloaded: their names and how far they were, never their files.
import * as v from 'valibot';
import { draftsOf } from '../../session/drafts.ts';
import { session } from '../../session/session.ts';

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

const keyOf = (userId: string): string => `${draftsOf(userId)}transfers`;

export function keepTransfers(transfers: readonly KeptTransfer[]): void {
  if (session.userId === null) return;
  const key = keyOf(session.userId);
  if (transfers.length === 0) window.sessionStorage.removeItem(key);
  else
    window.sessionStorage.setItem(key, JSON.stringify(v.parse(keptTransfers, transfers.slice(0, maxCount))));
}

/** Those of the signed-in user, once. */
export function takeKeptTransfers(): KeptTransfer[] {
  if (session.userId === null) return [];
  const key = keyOf(session.userId);
  const kept = window.sessionStorage.getItem(key);
  window.sessionStorage.removeItem(key);
  return kept === null ? [] : v.parse(keptTransfers, JSON.parse(kept));
}
