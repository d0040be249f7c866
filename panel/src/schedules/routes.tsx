// Routes of schedules: the list of the license and that of a server, one schedule, and its editor.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { instanceRoute } from '../instance/base-route.tsx';
import { licensedRoute } from '../shell/base-routes.tsx';
import { needs } from '../shell/needs.ts';
import { loadTexts } from '../texts/texts.ts';
import { actionKinds } from './schedule.ts';
import { noFilters, runStatuses, scheduleSearch } from './schedule-search.ts';
import { anyOf, text, textOr } from '../shared/address-values.ts';

// The fields of a wipe have their texts in the area of wipes.
const loader = () => loadTexts('schedules', 'wipes');

const schedulesRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/schedules',
  validateSearch: scheduleSearch,
  search: { middlewares: [stripSearchParams(noFilters)] },
  loader,
  component: lazyRouteComponent(() => import('./schedules-page.tsx'), 'SchedulesPage'),
});

const newScheduleRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/schedules/new',
  validateSearch: v.object({
    server: text,
    kind: anyOf(actionKinds),
  }),
  search: { middlewares: [stripSearchParams({ server: '', kind: '' as const })] },
  beforeLoad: needs('POST /api/schedules'),
  loader,
  component: lazyRouteComponent(() => import('./editor/new-schedule-page.tsx'), 'NewSchedulePage'),
});

const scheduleRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/schedules/$scheduleId',
  validateSearch: v.object({ status: anyOf(runStatuses) }),
  search: { middlewares: [stripSearchParams({ status: '' as const })] },
  loader,
  component: lazyRouteComponent(() => import('./schedule-page.tsx'), 'SchedulePage'),
});

const editScheduleRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/schedules/$scheduleId/edit',
  loader,
  component: lazyRouteComponent(() => import('./editor/edit-schedule-page.tsx'), 'EditSchedulePage'),
});

export const instanceSchedulesRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/schedules',
  validateSearch: v.object({ sort: textOr('next') }),
  search: { middlewares: [stripSearchParams({ sort: 'next' })] },
  loader,
  component: lazyRouteComponent(() => import('./instance-schedules.tsx'), 'InstanceSchedules'),
});

export const scheduleRoutes = [schedulesRoute, newScheduleRoute, scheduleRoute, editScheduleRoute] as const;
