// A stored plugin configuration that can be applied to any number of servers.
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
    /** In the form of the contract's schema for its kind, with the key order in which it was written. */
    configData: p.json<Record<string, unknown>>().columnType('json'),
    /** Incremented with each change. */
    version: p.integer().default(1),
    updatedBy: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});
export class PluginConfig extends PluginConfigSchema.class {}
PluginConfigSchema.setClass(PluginConfig);
