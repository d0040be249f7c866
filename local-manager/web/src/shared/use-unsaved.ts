// Asks before somebody leaves a form with changes that are not saved, within the page or away from it.
import { useEffect } from 'react';

const question = 'There are changes that are not saved. Leave them?';

export function useUnsaved(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const left = new AbortController();
    const { signal } = left;
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
    // Before the place changes: links are followed only once they were asked about.
    document.addEventListener(
      'click',
      (event) => {
        const link = event.target instanceof Element ? event.target.closest('a[href^="#/"]') : null;
        if (link !== null && link.getAttribute('href') !== window.location.hash && !window.confirm(question))
          event.preventDefault();
      },
      { signal, capture: true },
    );
    return () => left.abort();
  }, [isChanged]);
}
