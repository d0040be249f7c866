// Routes of the event log: the list, and one event.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';
import { eventSearch, noFilters } from './event-search.ts';

const loader = () => loadTexts('events', 'event-types', 'instance');

const eventsRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/events',
  validateSearch: eventSearch,
  search: { middlewares: [stripSearchParams(noFilters)] },
  loader,
  component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage'),
});

const eventRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/events/$eventId',
  loader,
  component: lazyRouteComponent(() => import('./event-page.tsx'), 'EventPage'),
});

export const eventRoutes = [eventsRoute, eventRoute] as const;
