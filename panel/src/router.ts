// The router: how pages load, and what is shown while they do or when they fail.
import { createRouter } from '@tanstack/react-router';
import { queries } from './api/queries.ts';
import { routeTree } from './routes.tsx';
import { Failed, NotFound } from './shell/failed.tsx';
import { Pending } from './shell/pending.tsx';

export const router = createRouter({
  routeTree,
  context: { queries },
  defaultPreload: 'intent',
  // Queries decide how fresh data is.
  defaultPreloadStaleTime: 0,
  // The former page stays that long, so that fast pages cause no flicker.
  defaultPendingMs: 300,
  defaultPendingMinMs: 300,
  defaultPendingComponent: Pending,
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
  // The default is the whole address, and the fragments of links hold tokens that no storage may have.
  getScrollRestorationKey: ({ state, pathname }) => state.__TSR_key ?? pathname,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
