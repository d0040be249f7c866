// A user's membership in a license, with its role.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const MembershipSchema = defineEntity({
  name: 'Membership',
  tableName: 'membership',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    userId: p.uuid(),
    roleId: p.uuid(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class Membership extends MembershipSchema.class {}
MembershipSchema.setClass(Membership);
