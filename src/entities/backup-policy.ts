// How many backups of a game instance are kept; an instance without a row has the default number.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const BackupPolicySchema = defineEntity({
  name: 'BackupPolicy',
  tableName: 'backup_policy',
  ...tenantTable,
  properties: {
    instanceId: p.uuid().primary(),
    licenseId: tenantColumns.licenseId(),
    keep: p.integer(),
  },
});
export class BackupPolicy extends BackupPolicySchema.class {}
BackupPolicySchema.setClass(BackupPolicy);
