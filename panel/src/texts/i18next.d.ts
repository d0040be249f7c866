// The keys of the catalogue, so that a text that does not exist does not compile.
import 'i18next';
import type account from './en/account.json';
import type alerts from './en/alerts.json';
import type apiKeys from './en/api-keys.json';
import type audit from './en/audit.json';
import type backups from './en/backups.json';
import type analytics from './en/analytics.json';
import type common from './en/common.json';
import type eventTypes from './en/event-types.json';
import type events from './en/events.json';
import type files from './en/files.json';
import type hosts from './en/hosts.json';
import type instance from './en/instance.json';
import type license from './en/license.json';
import type players from './en/players.json';
import type plugins from './en/plugins.json';
import type notifications from './en/notifications.json';
import type permissions from './en/permissions.json';
import type roles from './en/roles.json';
import type pluginConfigs from './en/plugin-configs.json';
import type maps from './en/maps.json';
import type servers from './en/servers.json';
import type session from './en/session.json';
import type shell from './en/shell.json';
import type team from './en/team.json';
import type webhooks from './en/webhooks.json';
import type modules from './en/modules.json';
import type releaseNotes from './en/release-notes.json';
import type siteConfig from './en/site-config.json';
import type store from './en/store.json';
import type stats from './en/stats.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      account: typeof account;
      alerts: typeof alerts;
      'api-keys': typeof apiKeys;
      audit: typeof audit;
      backups: typeof backups;
      analytics: typeof analytics;
      common: typeof common;
      'event-types': typeof eventTypes;
      events: typeof events;
      files: typeof files;
      hosts: typeof hosts;
      instance: typeof instance;
      license: typeof license;
      players: typeof players;
      plugins: typeof plugins;
      notifications: typeof notifications;
      permissions: typeof permissions;
      roles: typeof roles;
      'plugin-configs': typeof pluginConfigs;
      maps: typeof maps;
      servers: typeof servers;
      session: typeof session;
      shell: typeof shell;
      team: typeof team;
      webhooks: typeof webhooks;
      modules: typeof modules;
      'release-notes': typeof releaseNotes;
      'site-config': typeof siteConfig;
      store: typeof store;
      stats: typeof stats;
    };
  }
}
