// Routes of the hosts: the list, adding one, and one host.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';
import { id, oneOf, text, textOr } from '../shared/address-values.ts';

const loader = () => loadTexts('hosts');

const hostsRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/hosts',
  validateSearch: v.object({
    search: text,
    sort: textOr('name'),
  }),
  search: { middlewares: [stripSearchParams({ search: '', sort: 'name' })] },
  loader,
  component: lazyRouteComponent(() => import('./hosts-page.tsx'), 'HostsPage'),
});

const addHostRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/hosts/add',
  validateSearch: v.object({
    kind: oneOf(['trial', 'own'], 'own'),
  }),
  search: { middlewares: [stripSearchParams({ kind: 'own' })] },
  loader,
  component: lazyRouteComponent(() => import('./add-host-page.tsx'), 'AddHostPage'),
});

const hostRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/hosts/$hostId',
  /** The command that creates a server, whose progress is shown. */
  validateSearch: v.object({
    command: id,
  }),
  search: { middlewares: [stripSearchParams({ command: '' })] },
  loader,
  component: lazyRouteComponent(() => import('./host-page.tsx'), 'HostPage'),
});

export const hostRoutes = [hostsRoute, addHostRoute, hostRoute] as const;
