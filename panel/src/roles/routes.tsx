// Routes of the roles: the list, a new role, and one role.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { licensedRoute } from '../shell/base-routes.tsx';
import { needs } from '../shell/needs.ts';
import { loadTexts } from '../texts/texts.ts';
import { text, textOr } from '../shared/address-values.ts';

const loader = () => loadTexts('roles', 'team', 'permissions');

const rolesRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/team/roles',
  validateSearch: v.object({
    search: text,
    sort: textOr('-permissions'),
  }),
  search: { middlewares: [stripSearchParams({ search: '', sort: '-permissions' })] },
  loader,
  component: lazyRouteComponent(() => import('./roles-page.tsx'), 'RolesPage'),
});

const newRoleRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/team/roles/new',
  beforeLoad: needs('POST /api/roles'),
  loader,
  component: lazyRouteComponent(() => import('./new-role-page.tsx'), 'NewRolePage'),
});

const roleRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/team/roles/$roleId',
  loader,
  component: lazyRouteComponent(() => import('./role-page.tsx'), 'RolePage'),
});

export const roleRoutes = [rolesRoute, newRoleRoute, roleRoute] as const;
