// Routes of the store: its tabs, and the pages of one order and one item.
import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router';
import { licensedRoute } from '../shell/base-routes.tsx';
import { needs } from '../shell/needs.ts';
import { loadTexts } from '../texts/texts.ts';
import {
  allDeliveries,
  allItems,
  allOrders,
  deliverySearch,
  itemSearch,
  orderSearch,
  revenueSearch,
  defaultRevenue,
} from './searches.ts';

const loader = () => loadTexts('store');

/** `/store` belongs to the pages that buyers see. */
const storeRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/webstore',
  loader,
  component: lazyRouteComponent(() => import('./store-frame.tsx'), 'StoreFrame'),
});

const overviewRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/',
  validateSearch: revenueSearch,
  search: { middlewares: [stripSearchParams(defaultRevenue)] },
  component: lazyRouteComponent(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
});

const ordersRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/orders',
  validateSearch: orderSearch,
  search: { middlewares: [stripSearchParams(allOrders)] },
  component: lazyRouteComponent(() => import('./orders/orders-page.tsx'), 'OrdersPage'),
});

const deliveriesRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/deliveries',
  validateSearch: deliverySearch,
  search: { middlewares: [stripSearchParams(allDeliveries)] },
  component: lazyRouteComponent(() => import('./orders/deliveries-page.tsx'), 'DeliveriesPage'),
});

const itemsRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/items',
  validateSearch: itemSearch,
  search: { middlewares: [stripSearchParams(allItems)] },
  component: lazyRouteComponent(() => import('./items/items-page.tsx'), 'ItemsPage'),
});

const categoriesRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/categories',
  component: lazyRouteComponent(() => import('./items/categories-page.tsx'), 'CategoriesPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
});

const orderRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/webstore/orders/$orderId',
  loader,
  component: lazyRouteComponent(() => import('./orders/order-page.tsx'), 'OrderPage'),
});

const newItemRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/webstore/items/new',
  beforeLoad: needs('POST /api/webstore/items'),
  loader,
  component: lazyRouteComponent(() => import('./items/item-page.tsx'), 'NewItemPage'),
});

const itemRoute = createRoute({
  getParentRoute: () => licensedRoute,
  path: '/webstore/items/$itemId',
  loader,
  component: lazyRouteComponent(() => import('./items/item-page.tsx'), 'ItemPage'),
});

export const storeRoutes = [
  storeRoute.addChildren([
    overviewRoute,
    ordersRoute,
    deliveriesRoute,
    itemsRoute,
    categoriesRoute,
    settingsRoute,
  ]),
  orderRoute,
  newItemRoute,
  itemRoute,
] as const;
