// The application of a plugin configuration to an instance, and its outcome.
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
    /** The version that is applied. */
    configVersion: p.integer().nullable(),
    instanceId: p.uuid(),
    status: p.text().$type<'preparing' | 'applying' | 'succeeded' | 'failed'>().default('preparing'),
    detail: p.text().nullable(),
    errorCode: p.text().nullable(),
    files: p.json<AppliedFile[]>().defaultRaw(`'[]'`),
    /** Whether plugins have loaded the written files; null until the agent reports it. */
    isLoaded: p.boolean().nullable(),
    /** Configuration values that the files no longer contained after the plugins had loaded them. */
    remarks: p.json<Remark[]>().defaultRaw(`'[]'`),
    /** Commands that the platform itself runs once the application has succeeded. */
    playerCommands: p.json<PlayerCommands>().nullable(),
    commandId: p.uuid().nullable(),
    /** How often the files were read and had changed before they could be written. */
    attempts: p.integer().default(0),
    /** How often the platform itself has failed to apply it. */
    failures: p.integer().default(0),
    requestedBy: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    finishedAt: p.datetime().nullable(),
  },
});
export class PluginApplication extends PluginApplicationSchema.class {}
PluginApplicationSchema.setClass(PluginApplication);
