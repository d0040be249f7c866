// Routes of the players of a server: the lists, and one player's record.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import { instanceRoute } from '../instance/base-route.tsx';
import { loadTexts } from '../texts/texts.ts';
import { noFilters, playerSearch, playersSearch } from './player-search.ts';

const loader = () => loadTexts('players');

const playersRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/players',
  validateSearch: playersSearch,
  search: { middlewares: [stripSearchParams(noFilters)] },
  loader,
  component: lazyRouteComponent(() => import('./players-page.tsx'), 'PlayersPage'),
});

const playerRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/players/$steamId',
  validateSearch: playerSearch,
  search: { middlewares: [stripSearchParams({ days: 30 as const })] },
  loader,
  component: lazyRouteComponent(() => import('./player-page.tsx'), 'PlayerPage'),
});

export const playerRoutes = [playersRoute, playerRoute] as const;
