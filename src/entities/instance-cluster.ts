// A named group of game instances.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const InstanceClusterSchema = defineEntity({
  name: 'InstanceCluster',
  tableName: 'instance_cluster',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    name: p.text(),
    description: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class InstanceCluster extends InstanceClusterSchema.class {}
InstanceClusterSchema.setClass(InstanceCluster);
