// Routes of the analytics: one for each tab, below the frame with the filters that they share.
import {
  createRoute,
  lazyRouteComponent,
  retainSearchParams,
  stripSearchParams,
} from '@tanstack/react-router';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';
import {
  analyticsSearch,
  mapsSearch,
  seriesSearch,
  usual,
  defaultMaps,
  defaultSeries,
  defaultWipes,
  defaultZone,
  wipesSearch,
  zoneSearch,
} from './analytics-search.ts';

const frameRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/analytics',
  validateSearch: analyticsSearch,
  search: { middlewares: [retainSearchParams(['days', 'instance']), stripSearchParams(usual)] },
  loader: () => loadTexts('analytics', 'stats'),
  component: lazyRouteComponent(() => import('./analytics-frame.tsx'), 'AnalyticsFrame'),
});

const playersRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./players-tab.tsx'), 'PlayersTab'),
});

const retentionRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/retention',
  validateSearch: wipesSearch,
  search: { middlewares: [stripSearchParams(defaultWipes)] },
  component: lazyRouteComponent(() => import('./retention-tab.tsx'), 'RetentionTab'),
});

const mapsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/maps',
  validateSearch: mapsSearch,
  search: { middlewares: [stripSearchParams(defaultMaps)] },
  component: lazyRouteComponent(() => import('./maps-tab.tsx'), 'MapsTab'),
});

const peakHoursRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/peak-hours',
  validateSearch: zoneSearch,
  search: { middlewares: [stripSearchParams(defaultZone)] },
  component: lazyRouteComponent(() => import('./peak-hours-tab.tsx'), 'PeakHoursTab'),
});

const sessionsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./sessions-tab.tsx'), 'SessionsTab'),
});

const serversRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/servers',
  validateSearch: seriesSearch,
  search: { middlewares: [stripSearchParams(defaultSeries)] },
  component: lazyRouteComponent(() => import('./servers-tab.tsx'), 'ServersTab'),
});

export const analyticsRoute = frameRoute.addChildren([
  playersRoute,
  retentionRoute,
  mapsRoute,
  peakHoursRoute,
  sessionsRoute,
  serversRoute,
]);
