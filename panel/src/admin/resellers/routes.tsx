// Routes of the resellers: the list and the bills under their tabs, a new one, and one with its settings and its bill.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { monthSearch } from '../../shared/reseller-bill/months.ts';
import { frameRoute } from '../../shell/base-routes.tsx';
import { needs } from '../../shell/needs.ts';
import { loadTexts } from '../../texts/texts.ts';
import { anyOf, text } from '../../shared/address-values.ts';

const loader = () => loadTexts('admin', 'admin-resellers', 'reseller-bill');
const resellersRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/resellers',
  loader,
  component: lazyRouteComponent(() => import('./resellers-frame.tsx'), 'ResellersFrame'),
});

const listRoute = createRoute({
  getParentRoute: () => resellersRoute,
  path: '/',
  validateSearch: v.object({
    q: text,
    status: anyOf(['active', 'disabled']),
  }),
  search: { middlewares: [stripSearchParams({ q: '', status: '' as const })] },
  component: lazyRouteComponent(() => import('./reseller-list.tsx'), 'ResellerList'),
});

const billsRoute = createRoute({
  getParentRoute: () => resellersRoute,
  path: '/bills',
  validateSearch: v.object({ reseller: text, month: monthSearch }),
  search: { middlewares: [stripSearchParams({ reseller: '', month: '' })] },
  component: lazyRouteComponent(() => import('./bill-list.tsx'), 'BillList'),
});

const newResellerRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/resellers/new',
  beforeLoad: needs('POST /api/admin/resellers'),
  loader,
  component: lazyRouteComponent(() => import('./new-reseller-page.tsx'), 'NewResellerPage'),
});

const resellerRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/resellers/$resellerId',
  loader,
  component: lazyRouteComponent(() => import('./reseller-frame.tsx'), 'ResellerFrame'),
});

const settingsRoute = createRoute({
  getParentRoute: () => resellerRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./reseller-settings.tsx'), 'ResellerSettings'),
});

const billRoute = createRoute({
  getParentRoute: () => resellerRoute,
  path: '/bill',
  validateSearch: v.object({ month: monthSearch, q: text }),
  search: { middlewares: [stripSearchParams({ month: '', q: '' })] },
  component: lazyRouteComponent(() => import('./reseller-bill-page.tsx'), 'ResellerBillPage'),
});

export const resellerRoutes = [
  resellersRoute.addChildren([listRoute, billsRoute]),
  newResellerRoute,
  resellerRoute.addChildren([settingsRoute, billRoute]),
] as const;
