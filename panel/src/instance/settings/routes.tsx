// The route of a server's settings, a tab of the server.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadTexts } from '../../texts/texts.ts';
import { instanceRoute } from '../base-route.tsx';

export const settingsRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/settings',
  // The fields of templates have the texts of the hosts.
  loader: () => loadTexts('hosts'),
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
});
