// The route of a server's console.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { instanceRoute } from '../instance/base-route.tsx';

const streams = ['', 'stdout', 'stderr', 'input', 'system'] as const;

export const consoleRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/console',
  validateSearch: v.object({ stream: v.optional(v.fallback(v.picklist(streams), ''), '') }),
  search: { middlewares: [stripSearchParams({ stream: '' as const })] },
  component: lazyRouteComponent(() => import('./console-page.tsx'), 'ConsolePage'),
});
