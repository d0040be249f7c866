// Routes of plugin configurations: the list of all kinds, a new one, and one of them.
import { createRoute, lazyRouteComponent, redirect, stripSearchParams } from '@tanstack/react-router';
import { licensedRoute } from '../shell/base-routes.tsx';
import { needs } from '../shell/needs.ts';
import { loadTexts } from '../texts/texts.ts';
import { isKind } from './kinds.ts';
import {
  configSearch,
  listSearch,
  newSearch,
  noConfigSearch,
  noListFilters,
  noNewSearch,
} from './searches.ts';

const loader = () => loadTexts('plugin-configs');

const listRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/plugin-configs',
  validateSearch: listSearch,
  search: { middlewares: [stripSearchParams(noListFilters)] },
  loader,
  component: lazyRouteComponent(() => import('./list/configs-page.tsx'), 'ConfigsPage'),
});

const newRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/plugin-configs/new',
  validateSearch: newSearch,
  search: { middlewares: [stripSearchParams(noNewSearch)] },
  beforeLoad: needs('POST /api/plugin-configs/{kind}'),
  loader,
  component: lazyRouteComponent(() => import('./create/new-config-page.tsx'), 'NewConfigPage'),
});

const configRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/plugin-configs/$kind/$configId',
  params: {
    parse: ({ kind, configId }) => {
      if (!isKind(kind)) throw redirect({ to: '/plugin-configs' });
      return { kind, configId };
    },
  },
  validateSearch: configSearch,
  search: { middlewares: [stripSearchParams(noConfigSearch)] },
  loader,
  component: lazyRouteComponent(() => import('./config/config-page.tsx'), 'ConfigPage'),
});

export const pluginConfigRoutes = [listRoute, newRoute, configRoute] as const;
