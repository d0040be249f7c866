// The parts of a configuration document.
import type license from '../texts/en/license.json';

export type Part = keyof (typeof license)['parts'];

/** In the order in which people think of them. */
export const parts: readonly Part[] = [
  'clusters',
  'instances',
  'roles',
  'schedules',
  'plugin_configs',
  'backup_policies',
  'alert_config',
  'notification_channels',
  'webhooks',
  'site_config',
  'site_listings',
  'store_config',
  'store_categories',
  'store_items',
];

export const isPart = (name: string): name is Part => (parts as readonly string[]).includes(name);
