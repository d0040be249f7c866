// Routes of the license: its page, and the import of a configuration.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';

const loader = () => loadTexts('license');

const licenseRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/license',
  loader,
  component: lazyRouteComponent(() => import('./license-page.tsx'), 'LicensePage'),
});

const importRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/license/import',
  loader,
  component: lazyRouteComponent(() => import('./import/import-page.tsx'), 'ImportPage'),
});

export const licenseRoutes = [licenseRoute, importRoute] as const;
