// A configuration of plugins, kept for as many servers as it is applied to.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const PluginConfigSchema = defineEntity({
  name: 'PluginConfig',
  tableName: 'plugin_config',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    kind: p.text(),
    name: p.text(),
    /** As the contract's schema of its kind has it, in the order in which it was written. */
    configData: p.json<Record<string, unknown>>().columnType('json'),
    /** Counts its changes. */
    version: p.integer().default(1),
    updatedBy: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});
export class PluginConfig extends PluginConfigSchema.class {}
PluginConfigSchema.setClass(PluginConfig);
