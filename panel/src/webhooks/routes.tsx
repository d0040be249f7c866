// Routes of the webhooks: the list, adding one, one with its tabs, and one delivery.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import { licensedRoute } from '../shell/base-routes.tsx';
import { needs } from '../shell/needs.ts';
import { loadTexts } from '../texts/texts.ts';
import { deliverySearch, noFilters } from './delivery-search.ts';

const loader = () => loadTexts('webhooks', 'event-types', 'instance');

const listRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/webhooks',
  loader,
  component: lazyRouteComponent(() => import('./webhook-list.tsx'), 'WebhookList'),
});

const newRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/webhooks/new',
  beforeLoad: needs('POST /api/webhooks'),
  loader,
  component: lazyRouteComponent(() => import('./new-webhook-page.tsx'), 'NewWebhookPage'),
});

const webhookRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/webhooks/$webhookId',
  loader,
  component: lazyRouteComponent(() => import('./webhook-frame.tsx'), 'WebhookFrame'),
});

const deliveriesRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: '/',
  validateSearch: deliverySearch,
  search: { middlewares: [stripSearchParams(noFilters)] },
  component: lazyRouteComponent(() => import('./delivery-list.tsx'), 'DeliveryList'),
});

const settingsRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./webhook-settings.tsx'), 'WebhookSettings'),
});

/** Without the tabs: its way back is above its title. */
const deliveryRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/webhooks/$webhookId/deliveries/$deliveryId',
  loader,
  component: lazyRouteComponent(() => import('./delivery-page.tsx'), 'DeliveryPage'),
});

export const webhookRoutes = [
  listRoute,
  newRoute,
  webhookRoute.addChildren([deliveriesRoute, settingsRoute]),
  deliveryRoute,
] as const;
