// A reseller's price per license or instance from a month on, in hundredths of the currency; superseded, never changed.
import { defineEntity, p } from '@mikro-orm/core';

export const ResellerRateSchema = defineEntity({
  name: 'ResellerRate',
  tableName: 'reseller_rate',
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    resellerId: p.uuid(),
    /** As `YYYY-MM`. */
    fromMonth: p.text(),
    amount: p.integer(),
    currency: p.text(),
    unit: p.enum(['license', 'instance'] as const),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class ResellerRate extends ResellerRateSchema.class {}
ResellerRateSchema.setClass(ResellerRate);
