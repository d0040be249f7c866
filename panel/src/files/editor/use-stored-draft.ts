// Keeps the changes of an editor in the browser while they are typed.
import { useEffect, useState } from 'react';
import { removeDraft, storeDraft, type DraftPlace, type StoredDraft } from './stored-drafts.ts';

/** A stored draft as the form's own. */
export const keptDraft = ({ content, baseContent, baseVersion }: StoredDraft) => ({
  values: { content },
  base: { values: { content: baseContent }, version: baseVersion },
});

/** Returns whether the changes are kept. */
export function useStoredDraft(
  place: DraftPlace,
  baseContent: string,
  baseVersion: string,
  content: string,
  isDirty: boolean,
): boolean {
  const { instanceId, path } = place;
  const [isKept, setIsKept] = useState(true);
  useEffect(() => {
    if (isDirty)
      setIsKept(storeDraft({ instanceId, path }, { content, baseContent, baseVersion, at: Date.now() }));
    else removeDraft({ instanceId, path });
  }, [instanceId, path, baseContent, baseVersion, content, isDirty]);
  return isKept;
}
