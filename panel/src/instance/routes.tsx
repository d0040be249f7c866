// The route of a server's overview, its first tab.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { instanceRoute } from './base-route.tsx';

export const overviewRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./overview.tsx'), 'Overview'),
});
