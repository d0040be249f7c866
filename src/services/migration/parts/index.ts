// The parts of migration documents; a part that the contract describes and that is missing here fails to compile.
import type { PluginKinds } from '../../../plugin-configs/registry.ts';
import type { AccessChanges } from '../../auth/access-changes.ts';
import type { FilesOfKinds } from '../../plugin-configs/files-of-kind.ts';
import { DueTimes } from '../../schedules/due-times.ts';
import type { Webhooks } from '../../webhooks/index.ts';
import type { ItemOf, MigrationPart, PartName } from '../part.ts';
import { alertConfigPart, notificationChannelsPart } from './alerts.ts';
import { backupPoliciesPart } from './backup-policies.ts';
import { clustersPart } from './clusters.ts';
import { instancesPart } from './instances.ts';
import { pluginConfigsPart } from './plugin-configs.ts';
import { rolesPart } from './roles.ts';
import { schedulesPart } from './schedules.ts';
import { siteConfigPart, siteListingsPart } from './site.ts';
import { storeItemsPart } from './store-items.ts';
import { storeCategoriesPart, storeConfigPart } from './store.ts';
import { webhooksPart } from './webhooks.ts';

interface Needed {
  changes: AccessChanges;
  pluginFiles: FilesOfKinds;
  pluginKinds: PluginKinds;
  webhooks: Webhooks;
}

export function migrationParts({ changes, pluginFiles, pluginKinds, webhooks }: Needed): {
  readonly [Name in PartName]: MigrationPart<ItemOf<Name>>;
} {
  return {
    alert_config: alertConfigPart(),
    backup_policies: backupPoliciesPart(),
    clusters: clustersPart(),
    instances: instancesPart(),
    notification_channels: notificationChannelsPart(),
    plugin_configs: pluginConfigsPart(pluginKinds, pluginFiles),
    roles: rolesPart(changes),
    schedules: schedulesPart(new DueTimes()),
    site_config: siteConfigPart(),
    site_listings: siteListingsPart(new DueTimes()),
    store_categories: storeCategoriesPart(),
    store_config: storeConfigPart(),
    store_items: storeItemsPart(),
    webhooks: webhooksPart(webhooks),
  };
}
