// Routes of the servers: the list of the whole license.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';
import { noFilters, serverSearch } from './server-search.ts';

const serversRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/servers',
  validateSearch: serverSearch,
  search: { middlewares: [stripSearchParams(noFilters)] },
  loader: () => loadTexts('servers'),
  component: lazyRouteComponent(() => import('./servers-page.tsx'), 'ServersPage'),
});

export const serverRoutes = [serversRoute] as const;
