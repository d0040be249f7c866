// Maps every operation of the contract to its handler; a missing one does not compile.
import { adminEarlyAccess } from './admin-early-access.ts';
import { adminHealth } from './admin-health.ts';
import { adminJobs } from './admin-jobs.ts';
import { adminLicenses } from './admin-licenses.ts';
import { adminModules } from './admin-modules.ts';
import { adminResellers } from './admin-resellers.ts';
import { adminServers } from './admin-servers.ts';
import { adminStats } from './admin-stats.ts';
import { adminSubscriptions } from './admin-subscriptions.ts';
import { adminUsers } from './admin-users.ts';
import { agents } from './agents.ts';
import { alerts } from './alerts.ts';
import { analytics } from './analytics.ts';
import { apiKeys } from './api-keys.ts';
import { audit } from './audit.ts';
import { auth } from './auth.ts';
import { backups } from './backups.ts';
import { clusters } from './clusters.ts';
import { commands } from './commands.ts';
import { console } from './console.ts';
import { earlyAccess } from './early-access.ts';
import { events } from './events.ts';
import { files } from './files.ts';
import { fleet } from './fleet.ts';
import { gameData } from './game-data.ts';
import type { Handlers } from './handlers.ts';
import { license } from './license.ts';
import { loot } from './loot.ts';
import { migration } from './migration.ts';
import { managedInstances } from './managed-instances.ts';
import { maps } from './maps.ts';
import { modules } from './modules.ts';
import { notifications } from './notifications.ts';
import { permissions } from './permissions.ts';
import { players } from './players.ts';
import { pluginApplications } from './plugin-applications.ts';
import { pluginConfigs } from './plugin-configs.ts';
import { pluginEvents } from './plugin-events.ts';
import { plugins } from './plugins.ts';
import { power } from './power.ts';
import { publicStatus } from './public-status.ts';
import { publicStore } from './public-store.ts';
import { releaseNotes } from './release-notes.ts';
import { resellers } from './resellers.ts';
import { roles } from './roles.ts';
import { sandbox } from './sandbox.ts';
import { schedules } from './schedules.ts';
import { siteConfig } from './site-config.ts';
import { team } from './team.ts';
import { webhooks } from './webhooks.ts';
import { webstore } from './webstore.ts';
import { webstoreItems } from './webstore-items.ts';
import { webstoreOrders } from './webstore-orders.ts';
import { wipes } from './wipes.ts';

export const areas = {
  adminEarlyAccess,
  adminHealth,
  adminJobs,
  adminLicenses,
  adminModules,
  adminResellers,
  adminServers,
  adminStats,
  adminSubscriptions,
  adminUsers,
  agents,
  alerts,
  analytics,
  apiKeys,
  audit,
  auth,
  backups,
  clusters,
  commands,
  console,
  earlyAccess,
  events,
  files,
  fleet,
  gameData,
  license,
  loot,
  migration,
  managedInstances,
  maps,
  modules,
  notifications,
  permissions,
  players,
  pluginApplications,
  pluginConfigs,
  pluginEvents,
  plugins,
  power,
  publicStatus,
  publicStore,
  releaseNotes,
  resellers,
  roles,
  sandbox,
  schedules,
  siteConfig,
  team,
  webhooks,
  webstore,
  webstoreItems,
  webstoreOrders,
  wipes,
};

/** The type of all areas' handlers merged into one object. */
type Merged<Areas> = (
  Areas[keyof Areas] extends infer Area ? (Area extends unknown ? (area: Area) => void : never) : never
) extends (merged: infer All) => void
  ? All
  : never;

export const handlers: Handlers = Object.assign({}, ...Object.values(areas)) as Merged<typeof areas>;
