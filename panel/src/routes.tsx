// The route tree, assembled from the routes of the areas.
import { createRoute, redirect } from '@tanstack/react-router';
import { accountRoutes } from './account/routes.tsx';
import { hostRoutes } from './hosts/routes.tsx';
import { instanceRoutes } from './instance/routes.tsx';
import { licenseRoutes } from './license/routes.tsx';
import { serverRoutes } from './servers/routes.tsx';
import { sessionFrameRoutes, sessionRoutes } from './session/routes.tsx';
import { frameRoute, licensedRoute, rootRoute } from './shell/base-routes.tsx';

const homeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  beforeLoad: ({ context: { me } }) => {
    throw redirect({ to: me.license_id === null ? '/new-license' : '/servers' });
  },
});

export const routeTree = rootRoute.addChildren([
  ...sessionRoutes,
  frameRoute.addChildren([
    homeRoute,
    ...sessionFrameRoutes,
    ...accountRoutes,
    licensedRoute.addChildren([...serverRoutes, ...instanceRoutes, ...hostRoutes, ...licenseRoutes]),
  ]),
]);
