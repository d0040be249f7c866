// A named set of permissions within a license.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const RoleSchema = defineEntity({
  name: 'Role',
  tableName: 'role',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    name: p.text(),
    isSystem: p.boolean().default(false),
    permissions: p.json<Record<string, boolean>>(),
    /** Incremented with each change. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class Role extends RoleSchema.class {}
RoleSchema.setClass(Role);
