// A revoked bus key whose credentials have not expired yet.
import { defineEntity, p } from '@mikro-orm/core';

export const BusRevocationSchema = defineEntity({
  name: 'BusRevocation',
  tableName: 'bus_revocation',
  properties: {
    publicKey: p.text().primary(),
    /** The license of the revoked agent, or the license that was revoked. */
    causedBy: p.uuid().nullable(),
    revokedAt: p.datetime().defaultRaw('now()'),
  },
});
export class BusRevocation extends BusRevocationSchema.class {}
BusRevocationSchema.setClass(BusRevocation);
