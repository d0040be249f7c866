// Routes of the servers: the list, and one server with its tabs.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as v from 'valibot';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';

const serversRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/servers',
  validateSearch: v.object({ host: v.optional(v.string()) }),
  loader: () => loadTexts('servers'),
  component: lazyRouteComponent(() => import('./servers-page.tsx'), 'ServersPage'),
});

const instanceRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/servers/$instanceId',
  loader: () => loadTexts('servers', 'instance'),
  component: lazyRouteComponent(() => import('./servers-page.tsx'), 'ServersPage'),
});

export const serverRoutes = [serversRoute, instanceRoute] as const;
