// The route of one command.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';

export const commandRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/commands/$commandId',
  loader: () => loadTexts('instance', 'commands'),
  component: lazyRouteComponent(() => import('./command-page.tsx'), 'CommandPage'),
});
