// The route of a server's console.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { instanceRoute } from '../instance/base-route.tsx';
import { oneOf } from '../shared/address-values.ts';

const streams = ['', 'stdout', 'stderr', 'input', 'system'] as const;

export const consoleRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/console',
  validateSearch: v.object({ stream: oneOf(streams, '') }),
  search: { middlewares: [stripSearchParams({ stream: '' as const })] },
  component: lazyRouteComponent(() => import('./console-page.tsx'), 'ConsolePage'),
});
