// The route of the platform's release notes, which need no license.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';

const whatsNewRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/whats-new',
  loader: () => loadTexts('release-notes'),
  component: lazyRouteComponent(() => import('./whats-new-page.tsx'), 'WhatsNewPage'),
});

export const releaseNoteRoutes = [whatsNewRoute] as const;
