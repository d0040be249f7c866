// The route tree, assembled from the routes of the areas.
import { createRoute, redirect } from '@tanstack/react-router';
import { accountRoutes } from './account/routes.tsx';
import { alertRoutes } from './alerts/routes.tsx';
import { analyticsRoute } from './analytics/routes.tsx';
import { apiKeyRoutes } from './api-keys/routes.tsx';
import { auditRoute, platformAuditRoute } from './audit/routes.tsx';
import { backupRoute } from './backups/routes.tsx';
import { calendarRoute } from './calendar/routes.tsx';
import { clusterRoutes } from './clusters/routes.tsx';
import { commandRoute } from './commands/routes.tsx';
import { consoleRoute } from './console/routes.tsx';
import { eventRoutes } from './events/routes.tsx';
import { fileRoutes } from './files/routes.tsx';
import { hostRoutes } from './hosts/routes.tsx';
import { instanceRoute } from './instance/base-route.tsx';
import { overviewRoute } from './instance/routes.tsx';
import { settingsRoute } from './instance/settings/routes.tsx';
import { licenseRoutes } from './license/routes.tsx';
import { deploymentsRoute, mapsRoute } from './maps/routes.tsx';
import { moduleRoutes } from './modules/routes.tsx';
import { channelRoutes } from './notifications/routes.tsx';
import { platformRoutes } from './admin/routes.tsx';
import { playerRoutes } from './players/routes.tsx';
import { pluginConfigRoutes } from './plugin-configs/routes.tsx';
import { pluginsRoute } from './plugins/routes.tsx';
import { releaseNoteRoutes } from './release-notes/routes.tsx';
import { resellerRoute } from './reseller/routes.tsx';
import { roleRoutes } from './roles/routes.tsx';
import { instanceSchedulesRoute, scheduleRoutes } from './schedules/routes.tsx';
import { serverRoutes } from './servers/routes.tsx';
import { sessionFrameRoutes, sessionRoutes } from './session/routes.tsx';
import { frameRoute, licensedRoute, rootRoute } from './shell/base-routes.tsx';
import { NotFound } from './shell/failed.tsx';
import { siteConfigRoutes } from './site-config/routes.tsx';
import { statsRoute } from './stats/routes.tsx';
import { storeRoutes } from './store/routes.tsx';
import { teamRoutes } from './team/routes.tsx';
import { webhookRoutes } from './webhooks/routes.tsx';
import { wipeRoutes } from './wipes/routes.tsx';

const homeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  beforeLoad: ({ context: { me } }) => {
    throw redirect({ to: me.license_id === null ? '/new-license' : '/servers' });
  },
});

/** Below the frame, so that the menu stays. */
const unknownRoute = createRoute({ getParentRoute: () => frameRoute, path: '$', component: NotFound });

export const routeTree = rootRoute.addChildren([
  ...sessionRoutes,
  resellerRoute,
  frameRoute.addChildren([
    homeRoute,
    unknownRoute,
    ...sessionFrameRoutes,
    ...accountRoutes,
    ...platformRoutes,
    platformAuditRoute,
    ...releaseNoteRoutes,
    licensedRoute.addChildren([
      ...serverRoutes,
      instanceRoute.addChildren([
        overviewRoute,
        consoleRoute,
        ...playerRoutes,
        pluginsRoute,
        ...fileRoutes,
        backupRoute,
        deploymentsRoute,
        ...wipeRoutes,
        instanceSchedulesRoute,
        statsRoute,
        settingsRoute,
      ]),
      commandRoute,
      ...scheduleRoutes,
      calendarRoute,
      ...hostRoutes,
      ...clusterRoutes,
      ...pluginConfigRoutes,
      mapsRoute,
      analyticsRoute,
      ...licenseRoutes,
      ...alertRoutes,
      ...channelRoutes,
      ...teamRoutes,
      ...roleRoutes,
      ...apiKeyRoutes,
      auditRoute,
      ...webhookRoutes,
      ...eventRoutes,
      ...storeRoutes,
      ...siteConfigRoutes,
      ...moduleRoutes,
    ]),
  ]),
]);
