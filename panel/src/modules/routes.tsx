// Routes of the modules: the catalog, what the license owns, its subscriptions and its purchases.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';
import { id } from '../shared/address-values.ts';

const modulesRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/modules',
  loader: () => loadTexts('modules'),
  component: lazyRouteComponent(() => import('./modules-frame.tsx'), 'ModulesFrame'),
});

const catalogRoute = createRoute({
  getParentRoute: () => modulesRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./catalog-page.tsx'), 'CatalogPage'),
});

const ownedRoute = createRoute({
  getParentRoute: () => modulesRoute,
  path: '/owned',
  component: lazyRouteComponent(() => import('./owned-page.tsx'), 'OwnedPage'),
});

const subscriptionsRoute = createRoute({
  getParentRoute: () => modulesRoute,
  path: '/subscriptions',
  validateSearch: v.object({
    /** The subscription whose periods are shown. */
    subscription: id,
  }),
  search: { middlewares: [stripSearchParams({ subscription: '' })] },
  component: lazyRouteComponent(() => import('./subscriptions-page.tsx'), 'SubscriptionsPage'),
});

const purchasesRoute = createRoute({
  getParentRoute: () => modulesRoute,
  path: '/purchases',
  component: lazyRouteComponent(() => import('./purchases-page.tsx'), 'PurchasesPage'),
});

export const moduleRoutes = [
  modulesRoute.addChildren([catalogRoute, ownedRoute, subscriptionsRoute, purchasesRoute]),
] as const;
