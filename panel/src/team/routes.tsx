// Routes of the team: members, roles and who may do what.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';
import { text, textOr } from '../shared/address-values.ts';

const loader = () => loadTexts('team', 'roles', 'permissions');

const membersRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/team',
  validateSearch: v.object({ search: text, role: text, sort: textOr('joined') }),
  search: { middlewares: [stripSearchParams({ search: '', role: '', sort: 'joined' })] },
  loader,
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
});

const accessRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/team/access',
  validateSearch: v.object({ member: text, permission: text, operation: text, kind: text }),
  search: { middlewares: [stripSearchParams({ member: '', permission: '', operation: '', kind: '' })] },
  loader,
  component: lazyRouteComponent(() => import('./access-page.tsx'), 'AccessPage'),
});

export const teamRoutes = [membersRoute, accessRoute] as const;
