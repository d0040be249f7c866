// The route of one server with its tabs.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { instanceRoute } from './base-route.tsx';

const overviewRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./overview.tsx'), 'Overview'),
});

export const instanceRoutes = [instanceRoute.addChildren([overviewRoute])] as const;
