// The keys of the catalogue, so that a text that does not exist does not compile.
import 'i18next';
import type account from './en/account.json';
import type alerts from './en/alerts.json';
import type analytics from './en/analytics.json';
import type apiKeys from './en/api-keys.json';
import type audit from './en/audit.json';
import type backups from './en/backups.json';
import type calendar from './en/calendar.json';
import type clusters from './en/clusters.json';
import type common from './en/common.json';
import type eventTypes from './en/event-types.json';
import type events from './en/events.json';
import type files from './en/files.json';
import type hosts from './en/hosts.json';
import type instance from './en/instance.json';
import type license from './en/license.json';
import type maps from './en/maps.json';
import type modules from './en/modules.json';
import type notifications from './en/notifications.json';
import type permissions from './en/permissions.json';
import type players from './en/players.json';
import type pluginConfigs from './en/plugin-configs.json';
import type plugins from './en/plugins.json';
import type releaseNotes from './en/release-notes.json';
import type roles from './en/roles.json';
import type schedules from './en/schedules.json';
import type servers from './en/servers.json';
import type session from './en/session.json';
import type shell from './en/shell.json';
import type siteConfig from './en/site-config.json';
import type stats from './en/stats.json';
import type store from './en/store.json';
import type team from './en/team.json';
import type webhooks from './en/webhooks.json';
import type wipes from './en/wipes.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      account: typeof account;
      alerts: typeof alerts;
      analytics: typeof analytics;
      'api-keys': typeof apiKeys;
      audit: typeof audit;
      backups: typeof backups;
      calendar: typeof calendar;
      clusters: typeof clusters;
      common: typeof common;
      'event-types': typeof eventTypes;
      events: typeof events;
      files: typeof files;
      hosts: typeof hosts;
      instance: typeof instance;
      license: typeof license;
      maps: typeof maps;
      modules: typeof modules;
      notifications: typeof notifications;
      permissions: typeof permissions;
      players: typeof players;
      'plugin-configs': typeof pluginConfigs;
      plugins: typeof plugins;
      'release-notes': typeof releaseNotes;
      roles: typeof roles;
      schedules: typeof schedules;
      servers: typeof servers;
      session: typeof session;
      shell: typeof shell;
      'site-config': typeof siteConfig;
      stats: typeof stats;
      store: typeof store;
      team: typeof team;
      webhooks: typeof webhooks;
      wipes: typeof wipes;
    };
  }
}
