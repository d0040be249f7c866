// What became of a configuration of plugins that an instance was to get.
import { defineEntity, p } from '@mikro-orm/core';
import type { PlayerCommands } from '../plugin-configs/kind.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

export interface AppliedFile {
  file: string;
  sha256_before: string | null;
  sha256: string;
}

export const PluginApplicationSchema = defineEntity({
  name: 'PluginApplication',
  tableName: 'plugin_application',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    kind: p.text(),
    pluginConfigId: p.uuid().nullable(),
    /** Of the configuration, when the files were made. */
    configVersion: p.integer().nullable(),
    instanceId: p.uuid(),
    status: p.text().$type<'preparing' | 'applying' | 'succeeded' | 'failed'>().default('preparing'),
    detail: p.text().nullable(),
    errorCode: p.text().nullable(),
    files: p.json<AppliedFile[]>().defaultRaw(`'[]'`),
    /** What the platform types itself once this has succeeded. */
    playerCommands: p.json<PlayerCommands>().nullable(),
    commandId: p.uuid().nullable(),
    /** How often the files were read and found changed before they could be written. */
    attempts: p.integer().default(0),
    requestedBy: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    finishedAt: p.datetime().nullable(),
  },
});
export class PluginApplication extends PluginApplicationSchema.class {}
PluginApplicationSchema.setClass(PluginApplication);
