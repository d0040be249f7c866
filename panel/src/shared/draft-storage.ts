// Unsaved work that outlasts a closed tab in this browser, until its user signs out.
import { draftsOf } from '../session/drafts.ts';
import { session } from '../session/session.ts';

/** `parts` name the edited document within the license. */
export const draftKey = (...parts: readonly string[]): string =>
  draftsOf(session.userId ?? '') + [session.licenseId ?? '', ...parts].join('/');

/** Returns whether it is kept: a full storage refuses large texts, and nothing is kept of users who have signed out. */
export function writeDraft(key: string, draft: object): boolean {
  if (session.userId === null) return false;
  try {
    window.localStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}
