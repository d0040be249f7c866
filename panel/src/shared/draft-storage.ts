// Unsaved work that outlasts a closed tab in this browser, until its user signs out.
import { draftsOf } from '../session/drafts.ts';
import { session } from '../session/session.ts';

/** `parts` name the edited document within the license. */
export const draftKey = (...parts: readonly string[]): string =>
  draftsOf(session.userId ?? '') + [session.licenseId ?? '', ...parts].join('/');

/** Returns whether it is kept: a full storage refuses large texts, and nothing is kept of users who have signed out. */
export function writeDraft(key: string, draft: object): boolean {
  return writeTo(window.localStorage, key, JSON.stringify(draft));
}

/** What outlasts a reload of the tab, and not its end. */
export const readTabDraft = (key: string): string | null => window.sessionStorage.getItem(key);

/** Null removes it. */
export function writeTabDraft(key: string, text: string | null): boolean {
  if (text !== null) return writeTo(window.sessionStorage, key, text);
  window.sessionStorage.removeItem(key);
  return true;
}

function writeTo(storage: Storage, key: string, text: string): boolean {
  if (session.userId === null) return false;
  try {
    storage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
