// Routes of the maps: the library of the license, and the maps on one server.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { instanceRoute } from '../instance/base-route.tsx';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';
import { anyOf, text, textOr } from '../shared/address-values.ts';

const loader = () => loadTexts('maps');
export const mapsRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/maps',
  validateSearch: v.object({
    search: text,
    visibility: anyOf(['public', 'private']),
    sort: textOr('-created'),
    /** The map whose details are shown. */
    map: text,
  }),
  search: {
    middlewares: [stripSearchParams({ search: '', visibility: '' as const, sort: '-created', map: '' })],
  },
  loader,
  component: lazyRouteComponent(() => import('./maps-page.tsx'), 'MapsPage'),
});

export const deploymentsRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/maps',
  validateSearch: v.object({ deployment: text }),
  search: { middlewares: [stripSearchParams({ deployment: '' })] },
  loader,
  component: lazyRouteComponent(() => import('./deployments-page.tsx'), 'DeploymentsPage'),
});
