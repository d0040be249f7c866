// A one-time code that enrolls a host; only its hash is stored.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const EnrolmentCodeSchema = defineEntity({
  name: 'EnrolmentCode',
  tableName: 'enrolment_code',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    codeHash: p.text(),
    createdBy: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
    /** The host that it enrolled, and the nkey that it bound; both are set together with `usedAt`. */
    hostId: p.uuid().nullable(),
    busPublicKey: p.text().nullable(),
  },
});
export class EnrolmentCode extends EnrolmentCodeSchema.class {}
EnrolmentCodeSchema.setClass(EnrolmentCode);
