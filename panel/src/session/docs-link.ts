// Links to the API documentation, which takes the token of this session, so that “Try it” works.
import type { MouseEvent } from 'react';
import { session } from './session.ts';

type DocsPath = '/api/docs' | '/api/docs/guides/managed-instances' | '/api/docs/guides/webhooks';

/**
 * The properties of a link to a page of the documentation, in a tab of its own: there the token stays in the tab's storage
 * once the reader agrees. It is in no attribute, and in the fragment, which browsers send to no server and in no Referer.
 */
export const docsLink = (path: DocsPath) => ({
  component: 'a' as const,
  href: path,
  target: '_blank',
  rel: 'noreferrer',
  onClick: (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void openWithToken(path);
  },
});

async function openWithToken(path: DocsPath): Promise<void> {
  const token = await session.tokenForPage();
  const fragment = token === undefined ? '' : `#token=${encodeURIComponent(token)}`;
  window.open(`${path}${fragment}`, '_blank', 'noopener,noreferrer');
}
