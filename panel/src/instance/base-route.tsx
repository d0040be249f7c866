// The route of one server, which each of its tabs hangs below.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';

export const instanceRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/servers/$instanceId',
  loader: () => loadTexts('instance'),
  component: lazyRouteComponent(() => import('./instance-frame.tsx'), 'InstanceFrame'),
});
