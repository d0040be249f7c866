// The route of the calendar, whose view, date and filters are its address.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';
import { calendarSearch, firstSearch } from './calendar-search.ts';

export const calendarRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/calendar',
  validateSearch: calendarSearch,
  search: { middlewares: [stripSearchParams(firstSearch)] },
  // Entries are wipes and runs of schedules, in the words of those areas.
  loader: () => loadTexts('calendar', 'schedules', 'wipes'),
  component: lazyRouteComponent(() => import('./calendar-page.tsx'), 'CalendarPage'),
});
