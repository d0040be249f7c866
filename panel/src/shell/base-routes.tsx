// The routes that areas hang theirs below: the root, the frame of signed-in users, and pages of a license.
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { meReading } from '../api/me.ts';
import { session } from '../session/session.ts';
import { loadTexts } from '../texts/texts.ts';
import { Unreachable } from './unreachable.ts';

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  beforeLoad: async () => {
    if (session.phase === 'starting' || session.phase === 'unreachable') await session.start();
    if (session.phase === 'unreachable') throw new Unreachable();
  },
  component: Outlet,
});

/** Signed-in users only: others sign in first, and come back. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  beforeLoad: async ({ location, context: { queries } }) => {
    if (session.phase === 'signed-out')
      throw redirect({
        to: '/sign-in',
        search: location.href === '/' ? {} : { next: location.href },
      });
    return { me: await queries.ensureQueryData(meReading()) };
  },
  loader: () => loadTexts('session'),
  component: lazyRouteComponent(() => import('./frame.tsx'), 'Frame'),
});

/** Pages that show data of a license. */
export const licensedRoute = createRoute({
  getParentRoute: () => frameRoute,
  id: 'licensed',
  beforeLoad: ({ context: { me } }) => {
    if (me.license_id === null) throw redirect({ to: '/new-license' });
  },
  component: Outlet,
});
