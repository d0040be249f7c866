// Takes the focus to where the news is when what had it has gone, as a form does that is sent.
import { useEffect, type RefObject } from 'react';

/** Whoever is elsewhere on the page meanwhile stays there. */
export function useFoundFocus(target: RefObject<HTMLElement | null>, news: string | null): void {
  useEffect(() => {
    if (news !== null && document.activeElement === document.body) target.current?.focus();
  }, [target, news]);
}
