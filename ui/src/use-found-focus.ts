// Moves the focus to new content when the focused element has disappeared, as a submitted form does.
import { useEffect, type RefObject } from 'react';

/** A focus elsewhere on the page stays there. */
export function useFoundFocus(target: RefObject<HTMLElement | null>, news: string | null): void {
  useEffect(() => {
    if (news !== null && document.activeElement === document.body) target.current?.focus();
  }, [target, news]);
}
