// The route of a server's statistics.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import { instanceRoute } from '../instance/base-route.tsx';
import { loadTexts } from '../texts/texts.ts';
import { statsSearch, usual } from './stats-search.ts';

export const statsRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/stats',
  validateSearch: statsSearch,
  search: { middlewares: [stripSearchParams(usual)] },
  loader: () => loadTexts('stats'),
  component: lazyRouteComponent(() => import('./stats-page.tsx'), 'StatsPage'),
});
