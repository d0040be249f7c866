// Routes of the portal for resellers, who have a host key instead of a session.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { monthSearch } from '../shared/reseller-bill/months.ts';
import { rootRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';
import { anyOf, text } from '../shared/address-values.ts';

const portalRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reseller',
  loader: () => loadTexts('reseller', 'reseller-bill', 'session'),
  component: lazyRouteComponent(() => import('./portal-frame.tsx'), 'PortalFrame'),
});

const licensesRoute = createRoute({
  getParentRoute: () => portalRoute,
  path: '/',
  validateSearch: v.object({
    q: text,
    status: anyOf(['active', 'suspended', 'revoked']),
  }),
  search: { middlewares: [stripSearchParams({ q: '', status: '' as const })] },
  component: lazyRouteComponent(() => import('./licenses-page.tsx'), 'LicensesPage'),
});

const licenseRoute = createRoute({
  getParentRoute: () => portalRoute,
  path: '/licenses/$licenseId',
  component: lazyRouteComponent(() => import('./license-page.tsx'), 'LicensePage'),
});

const provisionRoute = createRoute({
  getParentRoute: () => portalRoute,
  path: '/provision',
  component: lazyRouteComponent(() => import('./provision/provision-page.tsx'), 'ProvisionPage'),
});

const billRoute = createRoute({
  getParentRoute: () => portalRoute,
  path: '/bill',
  validateSearch: v.object({ month: monthSearch, q: text }),
  search: { middlewares: [stripSearchParams({ month: '', q: '' })] },
  component: lazyRouteComponent(() => import('./bill-page.tsx'), 'BillPage'),
});

export const resellerRoute = portalRoute.addChildren([
  licensesRoute,
  licenseRoute,
  provisionRoute,
  billRoute,
]);
