// Asks before the user leaves a form with unsaved changes, within the page or away from it.
import { useEffect } from 'react';

const question = 'You have unsaved changes. Leave this page?';

interface Navigation extends Event {
  /** Only the URL fragment changes: the document stays. */
  readonly hashChange: boolean;
}

export function useUnsaved(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const left = new AbortController();
    const { signal } = left;
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
    // Links and the back button alike, before the place changes. TypeScript's DOM types lack this event.
    const { navigation } = window as { navigation?: EventTarget };
    navigation?.addEventListener(
      'navigate',
      (event) => {
        const { hashChange, cancelable } = event as Navigation;
        if (hashChange && cancelable && !window.confirm(question)) event.preventDefault();
      },
      { signal },
    );
    return () => left.abort();
  }, [isChanged]);
}
