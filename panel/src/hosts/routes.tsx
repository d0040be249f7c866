// Routes of the hosts: the list, and adding one.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';

const loader = () => loadTexts('hosts');

const hostsRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/hosts',
  validateSearch: v.object({
    search: v.optional(v.fallback(v.string(), ''), ''),
    sort: v.optional(v.fallback(v.string(), 'name'), 'name'),
  }),
  search: { middlewares: [stripSearchParams({ search: '', sort: 'name' })] },
  loader,
  component: lazyRouteComponent(() => import('./hosts-page.tsx'), 'HostsPage'),
});

const addHostRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/hosts/add',
  loader,
  component: lazyRouteComponent(() => import('./add-host-page.tsx'), 'AddHostPage'),
});

export const hostRoutes = [hostsRoute, addHostRoute] as const;
