// A subdomain that a license gave up, reserved for a limited time. Written by the database.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const FormerSubdomainSchema = defineEntity({
  name: 'FormerSubdomain',
  tableName: 'former_subdomain',
  ...tenantTable,
  properties: {
    subdomain: p.text().primary(),
    licenseId: tenantColumns.licenseId(),
    freedAt: p.datetime().defaultRaw('now()'),
  },
});
export class FormerSubdomain extends FormerSubdomainSchema.class {}
FormerSubdomainSchema.setClass(FormerSubdomain);
