// Which data each kind of event makes stale.
import type { ReadPath, Schemas } from '../api/operations.ts';

/** A type that ends with a dot or an underscore stands for every type that begins with it. */
const table: readonly (readonly [type: string, paths: readonly ReadPath[]])[] = [
  ['instance.', ['/api/fleet/instances', '/api/fleet/instances/{instance_id}']],
  ['cluster.', ['/api/fleet/clusters', '/api/fleet/clusters/{cluster_id}', '/api/fleet/instances']],
  ['host.', ['/api/fleet/hosts', '/api/fleet/hosts/{host_id}', '/api/fleet/instances']],
  ['command.', ['/api/commands', '/api/commands/{command_id}']],
  [
    'player.',
    [
      '/api/instances/{instance_id}/players',
      '/api/instances/{instance_id}/players/{steam_id}',
      '/api/player-actions',
      '/api/analytics/sessions',
    ],
  ],
  ['plugin.', ['/api/instances/{instance_id}/plugins', '/api/instances/{instance_id}/plugin-copies']],
  ['alert.', ['/api/alerts', '/api/alerts/{alert_id}', '/api/alerts/config', '/api/events']],
  ['channel.', ['/api/notifications/channels', '/api/notifications/channels/{notification_channel_id}']],
  [
    'config.',
    [
      '/api/plugin-configs/{kind}',
      '/api/plugin-configs/{kind}/{plugin_config_id}',
      '/api/plugin-applications',
      '/api/plugin-applications/{plugin_application_id}',
      '/api/instances/{instance_id}/player-commands',
    ],
  ],
  ['webhook.', ['/api/webhooks', '/api/webhooks/{webhook_id}']],
  // Packing and extracting files are commands.
  [
    'command.finished',
    ['/api/instances/{instance_id}/files', '/api/fleet/instances/{instance_id}/definition'],
  ],
  ['backup.', ['/api/instances/{instance_id}/backups', '/api/instances/{instance_id}/backups/{backup_id}']],
  ['backup.policy_changed', ['/api/instances/{instance_id}/backup-policy']],
  [
    'map.',
    [
      '/api/maps',
      '/api/maps/{map_id}',
      '/api/instances/{instance_id}/map-deployments',
      '/api/instances/{instance_id}/map-deployments/{map_deployment_id}',
    ],
  ],
  [
    'order.',
    [
      '/api/webstore/transactions',
      '/api/webstore/transactions/{transaction_id}',
      '/api/webstore/items',
      '/api/webstore/deliveries',
    ],
  ],
  ['delivery.', ['/api/webstore/deliveries', '/api/webstore/deliveries/{delivery_id}']],
  ['store.updated', ['/api/webstore/config', '/api/webstore/providers']],
  ['store.subscription_changed', ['/api/webstore/subscription', '/api/webstore/config']],
  ['store.provider_', ['/api/webstore/providers', '/api/webstore/config']],
  [
    'store.category_',
    ['/api/webstore/categories', '/api/webstore/categories/{category_id}', '/api/webstore/items'],
  ],
  ['store.item_', ['/api/webstore/items', '/api/webstore/items/{item_id}', '/api/webstore/categories']],
  ['site.', ['/api/site-config', '/api/site-config/instances', '/api/site-config/instances/{instance_id}']],
  ['module.', ['/api/modules', '/api/modules/owned', '/api/modules/installations']],
  [
    'subscription.',
    [
      '/api/modules',
      '/api/modules/owned',
      '/api/modules/subscriptions',
      '/api/modules/subscriptions/{module_subscription_id}',
    ],
  ],
  ['bill.', ['/api/modules/purchases', '/api/modules/owned']],
  ['wipe.', ['/api/wipes', '/api/wipes/{wipe_id}']],
  [
    'schedule.',
    [
      '/api/schedules',
      '/api/schedules/{schedule_id}',
      '/api/schedules/{schedule_id}/runs',
      '/api/schedule-preview',
    ],
  ],
  ['license.', ['/api/license', '/auth/me']],
  [
    'member.',
    ['/api/team/members', '/api/team/invitations', '/api/roles', '/api/roles/{role_id}', '/auth/me'],
  ],
  ['key.', ['/api/api-keys', '/api/api-keys/{api_key_id}']],
  ['role.', ['/api/roles', '/api/roles/{role_id}', '/api/team/members', '/auth/me']],
];

export const pathsOf = (type: string): readonly ReadPath[] =>
  table
    .filter(([pattern]) => (/[._]$/.test(pattern) ? type.startsWith(pattern) : type === pattern))
    .flatMap(([, paths]) => paths);

/** Data of one instance or of one schedule is not read again for the events of others. */
export function isAbout(
  params: unknown,
  { instance_id, subject }: Pick<Schemas['Event'], 'instance_id' | 'subject'>,
): boolean {
  const shown = (params as { path?: { instance_id?: string; schedule_id?: string } } | undefined)?.path ?? {};
  const isOfInstance =
    shown.instance_id === undefined || instance_id === null || shown.instance_id === instance_id;
  const isOfSubject =
    shown.schedule_id === undefined || subject.type !== 'schedule' || shown.schedule_id === subject.id;
  return isOfInstance && isOfSubject;
}
