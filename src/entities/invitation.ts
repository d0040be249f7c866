// An invitation by mail to join a license with a role; kept for a limited time after it has ended.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const InvitationSchema = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    email: p.text(),
    /** Null if the invitation has ended and its role was deleted. */
    roleId: p.uuid().nullable(),
    invitedBy: p.uuid(),
    tokenHash: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime(),
    /** When it was accepted or became void. */
    endedAt: p.datetime().nullable(),
  },
});
export class Invitation extends InvitationSchema.class {}
InvitationSchema.setClass(Invitation);
