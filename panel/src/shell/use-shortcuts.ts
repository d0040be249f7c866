// Keyboard shortcuts of the whole panel: single keys, unless the user is typing.
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useMe } from '../api/me.ts';
import type { Overlay } from './overlay.ts';
import { pagesFor } from './navigation.ts';

/** How long the second key of a sequence such as "g s" may take. */
const sequenceMs = 1_200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input, textarea, select, [role="textbox"], dialog[open]') !== null);

export function useShortcuts(open: (overlay: Overlay) => void): void {
  const router = useRouter();
  const me = useMe();
  useEffect(() => {
    let wentAt = 0;
    const pages = pagesFor(me).flatMap((group) => group.pages);
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        return open('palette');
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '?') return open('shortcuts');
      if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('input[type="search"]');
        if (search === null) return;
        event.preventDefault();
        return search.focus();
      }
      if (event.key === 'g') {
        wentAt = event.timeStamp;
        return;
      }
      const page = pages.find(({ key }) => key === event.key);
      if (page !== undefined && event.timeStamp - wentAt < sequenceMs) void router.navigate({ to: page.to });
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [router, me, open]);
}
