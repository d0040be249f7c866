// Routes of the clusters: the list, and one cluster.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';
import { textOr } from '../shared/address-values.ts';

const loader = () => loadTexts('clusters');

const clustersRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/clusters',
  validateSearch: v.object({ sort: textOr('name') }),
  search: { middlewares: [stripSearchParams({ sort: 'name' })] },
  loader,
  component: lazyRouteComponent(() => import('./clusters-page.tsx'), 'ClustersPage'),
});

const clusterRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/clusters/$clusterId',
  loader,
  component: lazyRouteComponent(() => import('./cluster-page.tsx'), 'ClusterPage'),
});

export const clusterRoutes = [clustersRoute, clusterRoute] as const;
