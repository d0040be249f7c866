// Routes of the wipes of one server: the list, planning one, and one in detail.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { instanceRoute } from '../instance/base-route.tsx';
import { loadTexts } from '../texts/texts.ts';
import { wipeStatuses } from './wipe-status.ts';
import { needs } from '../shell/needs.ts';
import { anyOf } from '../shared/address-values.ts';

const loader = () => loadTexts('wipes');

const wipesRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/wipes',
  validateSearch: v.object({ status: anyOf(wipeStatuses) }),
  search: { middlewares: [stripSearchParams({ status: '' as const })] },
  loader,
  component: lazyRouteComponent(() => import('./wipes-page.tsx'), 'WipesPage'),
});

const planRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/wipes/new',
  beforeLoad: needs('POST /api/instances/{instance_id}/wipes'),
  loader,
  component: lazyRouteComponent(() => import('./plan-page.tsx'), 'PlanPage'),
});

const wipeRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/wipes/$wipeId',
  loader,
  component: lazyRouteComponent(() => import('./wipe-page.tsx'), 'WipePage'),
});

export const wipeRoutes = [wipesRoute, planRoute, wipeRoute] as const;
