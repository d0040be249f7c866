// What became of a configuration of plugins that an instance was to get.
import { defineEntity, p } from '@mikro-orm/core';
import type { PlayerCommands } from '../plugin-configs/kind.ts';
import type { Remark } from '../plugin-configs/reading.ts';
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
    /** The one that is applied. */
    configVersion: p.integer().nullable(),
    instanceId: p.uuid(),
    status: p.text().$type<'preparing' | 'applying' | 'succeeded' | 'failed'>().default('preparing'),
    detail: p.text().nullable(),
    errorCode: p.text().nullable(),
    files: p.json<AppliedFile[]>().defaultRaw(`'[]'`),
    /** Whether plugins have loaded what was written; null until the agent has said so. */
    isLoaded: p.boolean().nullable(),
    /** What the files did not say any more once they had. */
    remarks: p.json<Remark[]>().defaultRaw(`'[]'`),
    /** What the platform types itself once this has succeeded. */
    playerCommands: p.json<PlayerCommands>().nullable(),
    commandId: p.uuid().nullable(),
    /** How often the files were read and found changed before they could be written. */
    attempts: p.integer().default(0),
    /** How often the platform itself has failed at it. */
    failures: p.integer().default(0),
    requestedBy: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    finishedAt: p.datetime().nullable(),
  },
});
export class PluginApplication extends PluginApplicationSchema.class {}
PluginApplicationSchema.setClass(PluginApplication);
