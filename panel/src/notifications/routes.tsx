// Routes of the notification channels: the list is a tab of the alerts.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import * as v from 'valibot';
import { alertsRoute } from '../alerts/base-route.tsx';
import { licensedRoute } from '../shell/base-routes.tsx';
import { needs } from '../shell/needs.ts';
import { loadTexts } from '../texts/texts.ts';
import { channelKinds } from './channel.ts';
import { anyOf, oneOf } from '../shared/address-values.ts';

const loader = () => loadTexts('notifications', 'alerts');

export const channelListRoute = createRoute({
  getParentRoute: () => alertsRoute,
  path: '/channels',
  loader,
  component: lazyRouteComponent(() => import('./channel-list.tsx'), 'ChannelList'),
});

const newChannelRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/alerts/channels/new',
  validateSearch: v.object({
    kind: oneOf(channelKinds, 'chat_webhook'),
  }),
  search: { middlewares: [stripSearchParams({ kind: 'chat_webhook' })] },
  beforeLoad: needs('POST /api/notifications/channels'),
  loader,
  component: lazyRouteComponent(() => import('./new-channel-page.tsx'), 'NewChannelPage'),
});

const channelRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/alerts/channels/$channelId',
  validateSearch: v.object({
    status: anyOf(['pending', 'succeeded', 'failed', 'cancelled']),
  }),
  search: { middlewares: [stripSearchParams({ status: '' })] },
  loader,
  component: lazyRouteComponent(() => import('./channel-page.tsx'), 'ChannelPage'),
});

export const channelRoutes = [newChannelRoute, channelRoute] as const;
