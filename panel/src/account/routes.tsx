// The route of the signed-in user's account.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';

const accountRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/account',
  loader: () => loadTexts('account', 'session'),
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
});

export const accountRoutes = [accountRoute] as const;
