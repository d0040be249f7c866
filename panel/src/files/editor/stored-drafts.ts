// Unsaved texts of files, which outlast a closed tab. Each tab has its own, so that tabs do not overwrite each other's.
import { draftKey, writeDraft } from '../../shared/draft-storage.ts';

export interface StoredDraft {
  content: string;
  /** What the text was based on, and its entity tag. */
  baseContent: string;
  baseVersion: string;
  /** When it was last changed, in milliseconds of Unix time. */
  at: number;
}

export interface DraftPlace {
  instanceId: string;
  path: string;
}

/** Texts of files may hold secrets, so they are not kept for longer. */
const keptForMs = 14 * 24 * 3_600_000;

/** Names this tab; it stays the same when the page is reloaded. */
const tabKey = 'gantry-tab';
const tab = window.sessionStorage.getItem(tabKey) ?? Math.random().toString(36).slice(2);
window.sessionStorage.setItem(tabKey, tab);

const ofAnyFile = /^gantry-draft\/[^/]*\/[^/]*\/file\//;
const fileKey = ({ instanceId, path }: DraftPlace): string => draftKey('file', instanceId, path);

const keyOf = (place: DraftPlace, owner = tab): string => `${fileKey(place)}//${owner}`;

const lockOf = (owner: string): string => `gantry-tab-${owner}`;

// Held for as long as this tab is open, so that others leave its drafts alone.
void (navigator as { locks?: LockManager }).locks?.request(lockOf(tab), () => new Promise(() => undefined));

/** The draft of this tab, or one of a tab that was closed, which becomes this tab's. */
export async function takeDraft(place: DraftPlace): Promise<StoredDraft | null> {
  removeOld();
  const own = stored(keyOf(place));
  if (own !== null) return own;
  const open = await openTabs();
  const left = Object.keys(window.localStorage)
    .filter((key) => key.startsWith(`${fileKey(place)}//`))
    .filter((key) => !open.has(key.slice(key.lastIndexOf('//') + 2)))
    .map((key) => ({ key, draft: stored(key) }))
    .sort((one, other) => (other.draft?.at ?? 0) - (one.draft?.at ?? 0))[0];
  if (left === undefined || left.draft === null) return null;
  storeDraft(place, left.draft);
  window.localStorage.removeItem(left.key);
  return left.draft;
}

/** A full storage costs the draft, not the editing. */
export const storeDraft = (place: DraftPlace, draft: StoredDraft): boolean => writeDraft(keyOf(place), draft);

export const removeDraft = (place: DraftPlace): void => window.localStorage.removeItem(keyOf(place));

function stored(key: string): StoredDraft | null {
  const text = window.localStorage.getItem(key);
  return text === null ? null : (JSON.parse(text) as StoredDraft);
}

/** Pages over plain HTTP have no locks: there, the draft of another tab counts as left behind. */
async function openTabs(): Promise<Set<string>> {
  const { locks } = navigator as { locks?: LockManager };
  const { held = [] } = (await locks?.query()) ?? {};
  return new Set(held.map(({ name = '' }) => name.replace(lockOf(''), '')));
}

function removeOld(): void {
  for (const key of Object.keys(window.localStorage)) {
    if (!ofAnyFile.test(key)) continue;
    const draft = stored(key);
    if (draft !== null && Date.now() - draft.at > keptForMs) window.localStorage.removeItem(key);
  }
}
