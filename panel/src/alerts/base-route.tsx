// The route of the alerts, which each of their tabs hangs below.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';

export const alertsRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/alerts',
  loader: () => loadTexts('alerts'),
  component: lazyRouteComponent(() => import('./alerts-frame.tsx'), 'AlertsFrame'),
});
