// When a deleted instance had run, for the bill of the reseller of its license.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const InstanceRunSchema = defineEntity({
  name: 'InstanceRun',
  tableName: 'instance_run',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    instanceId: p.uuid().primary(),
    fromAt: p.datetime().primary(),
    toAt: p.datetime(),
  },
});
export class InstanceRun extends InstanceRunSchema.class {}
InstanceRunSchema.setClass(InstanceRun);
