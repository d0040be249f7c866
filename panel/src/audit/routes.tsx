// Routes of the audit log: of one license, and of the whole platform.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import { frameRoute, licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';
import { auditSearch, noFilters } from './audit-search.ts';

const loader = () => loadTexts('audit', 'instance');

export const auditRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/audit',
  validateSearch: auditSearch,
  search: { middlewares: [stripSearchParams(noFilters)] },
  loader,
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
});

export const platformAuditRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/audit',
  validateSearch: auditSearch,
  search: { middlewares: [stripSearchParams(noFilters)] },
  loader,
  component: lazyRouteComponent(() => import('./platform-audit-page.tsx'), 'PlatformAuditPage'),
});
