// Routes of the alerts: the list, the rules and the channels under their tabs, and one alert.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import { channelListRoute } from '../notifications/routes.tsx';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';
import { alertSearch, noFilters } from './alert-search.ts';
import { alertsRoute } from './base-route.tsx';

const listRoute = createRoute({
  getParentRoute: () => alertsRoute,
  path: '/',
  validateSearch: alertSearch,
  search: { middlewares: [stripSearchParams(noFilters)] },
  component: lazyRouteComponent(() => import('./alert-list.tsx'), 'AlertList'),
});

const rulesRoute = createRoute({
  getParentRoute: () => alertsRoute,
  path: '/rules',
  component: lazyRouteComponent(() => import('./rules/rules-page.tsx'), 'RulesPage'),
});

/** Without the tabs: its way back is above its title. */
const alertRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/alerts/$alertId',
  loader: () => loadTexts('alerts'),
  component: lazyRouteComponent(() => import('./alert-page.tsx'), 'AlertPage'),
});

export const alertRoutes = [
  alertsRoute.addChildren([listRoute, rulesRoute, channelListRoute]),
  alertRoute,
] as const;
