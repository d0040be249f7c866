// The route of what the license shows on the public status page.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { licensedRoute } from '../shell/base-routes.tsx';
import { loadTexts } from '../texts/texts.ts';
import { id } from '../shared/address-values.ts';

const statusPageRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/status-page',
  validateSearch: v.object({
    /** The server whose listing is open. */
    server: id,
  }),
  search: { middlewares: [stripSearchParams({ server: '' })] },
  loader: () => loadTexts('site-config'),
  component: lazyRouteComponent(() => import('./status-page.tsx'), 'StatusPage'),
});

export const siteConfigRoutes = [statusPageRoute] as const;
