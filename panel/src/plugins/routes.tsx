// The route of a server's plugins.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import { instanceRoute } from '../instance/base-route.tsx';
import { loadTexts } from '../texts/texts.ts';
import { noFilters, pluginSearch } from './plugin-search.ts';

export const pluginsRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/plugins',
  validateSearch: pluginSearch,
  search: { middlewares: [stripSearchParams(noFilters)] },
  loader: () => loadTexts('plugins'),
  component: lazyRouteComponent(() => import('./plugins-page.tsx'), 'PluginsPage'),
});
