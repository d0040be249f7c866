// A link in a row of a long table: the router's own is many times as expensive to render, which scrolling would show.
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';

interface RowLinkProps {
  /** An address of the panel. */
  href: string;
  children: ReactNode;
}

const isForBrowser = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey;

export function RowLink({ href, children }: RowLinkProps) {
  const router = useRouter();
  return (
    <a
      href={href}
      onClick={(event) => {
        if (isForBrowser(event)) return;
        event.preventDefault();
        void router.navigate({ href });
      }}
    >
      {children}
    </a>
  );
}
