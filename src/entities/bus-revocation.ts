// A bus key that is refused although its credentials have not expired yet.
import { defineEntity, p } from '@mikro-orm/core';

export const BusRevocationSchema = defineEntity({
  name: 'BusRevocation',
  tableName: 'bus_revocation',
  properties: {
    publicKey: p.text().primary(),
    revokedAt: p.datetime().defaultRaw('now()'),
  },
});
export class BusRevocation extends BusRevocationSchema.class {}
BusRevocationSchema.setClass(BusRevocation);
