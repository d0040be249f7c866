// Routes of the platform's administration, for super admins.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { frameRoute } from '../shell/base-routes.tsx';
import { needs } from '../shell/needs.ts';
import { loadTexts } from '../texts/texts.ts';
import { catalogRoutes } from './modules/routes.tsx';
import { noteRoutes } from './release-notes/routes.tsx';
import { resellerRoutes } from './resellers/routes.tsx';
import { anyOf, oneOf, text } from '../shared/address-values.ts';

const loader = () => loadTexts('admin');

const overviewRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform',
  beforeLoad: needs('GET /api/admin/stats'),
  loader,
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
});

const licensesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/licenses',
  validateSearch: v.object({ q: text, status: anyOf(['active', 'revoked']) }),
  search: { middlewares: [stripSearchParams({ q: '', status: '' as const })] },
  loader,
  component: lazyRouteComponent(() => import('./licenses-page.tsx'), 'LicensesPage'),
});

const usersRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/users',
  validateSearch: v.object({ q: text, show: anyOf(['admins', 'disabled']) }),
  search: { middlewares: [stripSearchParams({ q: '', show: '' as const })] },
  loader,
  component: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
});

const hostsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/hosts',
  validateSearch: v.object({ status: anyOf(['online', 'offline']), version: text }),
  search: { middlewares: [stripSearchParams({ status: '' as const, version: '' })] },
  loader,
  component: lazyRouteComponent(() => import('./hosts-page.tsx'), 'HostsPage'),
});

const subscriptionsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/subscriptions',
  validateSearch: v.object({
    kind: anyOf(['module', 'webstore', 'reseller']),
    status: anyOf(['trialing', 'active', 'past_due', 'cancelled', 'expired']),
  }),
  search: { middlewares: [stripSearchParams({ kind: '' as const, status: '' as const })] },
  loader,
  component: lazyRouteComponent(() => import('./subscriptions-page.tsx'), 'SubscriptionsPage'),
});

const earlyAccessRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/early-access',
  validateSearch: v.object({ q: text }),
  search: { middlewares: [stripSearchParams({ q: '' })] },
  loader,
  component: lazyRouteComponent(() => import('./early-access-page.tsx'), 'EarlyAccessPage'),
});

const jobsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/jobs',
  validateSearch: v.object({ status: oneOf(['dead', 'stuck'], 'dead') }),
  search: { middlewares: [stripSearchParams({ status: 'dead' as const })] },
  loader,
  component: lazyRouteComponent(() => import('./jobs-page.tsx'), 'JobsPage'),
});

export const platformRoutes = [
  overviewRoute,
  licensesRoute,
  usersRoute,
  hostsRoute,
  ...resellerRoutes,
  subscriptionsRoute,
  ...catalogRoutes,
  ...noteRoutes,
  earlyAccessRoute,
  jobsRoute,
] as const;
