// Routes of the API keys: the list, a new key, and one key.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { licensedRoute } from '../shell/base-routes.tsx';
import { needs } from '../shell/needs.ts';
import { loadTexts } from '../texts/texts.ts';
import { oneOf, text, textOr } from '../shared/address-values.ts';

const loader = () => loadTexts('api-keys', 'permissions');

const apiKeysRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/api-keys',
  validateSearch: v.object({
    search: text,
    status: oneOf(['any', 'active', 'expired', 'revoked'], 'active'),
    sort: textOr('name'),
  }),
  search: { middlewares: [stripSearchParams({ search: '', status: 'active', sort: 'name' })] },
  loader,
  component: lazyRouteComponent(() => import('./api-keys-page.tsx'), 'ApiKeysPage'),
});

const newApiKeyRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/api-keys/new',
  beforeLoad: needs('POST /api/api-keys'),
  loader,
  component: lazyRouteComponent(() => import('./new-api-key-page.tsx'), 'NewApiKeyPage'),
});

const apiKeyRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/api-keys/$apiKeyId',
  loader,
  component: lazyRouteComponent(() => import('./api-key-page.tsx'), 'ApiKeyPage'),
});

export const apiKeyRoutes = [apiKeysRoute, newApiKeyRoute, apiKeyRoute] as const;
