// Routes of the module catalog: the list, a new module, and one module.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../shell/base-routes.tsx';
import { needs } from '../../shell/needs.ts';
import { loadTexts } from '../../texts/texts.ts';

const loader = () => loadTexts('admin', 'admin-modules', 'modules');

const modulesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/modules',
  loader,
  component: lazyRouteComponent(() => import('./modules-page.tsx'), 'ModulesPage'),
});

const newModuleRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/modules/new',
  beforeLoad: needs('POST /api/admin/modules'),
  loader,
  component: lazyRouteComponent(() => import('./new-module-page.tsx'), 'NewModulePage'),
});

const moduleRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/platform/modules/$moduleId',
  loader,
  component: lazyRouteComponent(() => import('./module-page.tsx'), 'ModulePage'),
});

export const catalogRoutes = [modulesRoute, newModuleRoute, moduleRoute] as const;
