// A reseller's bill of a month, recorded after its end; never changed.
import { defineEntity, p } from '@mikro-orm/core';

export const ResellerBillSchema = defineEntity({
  name: 'ResellerBill',
  tableName: 'reseller_bill',
  properties: {
    resellerId: p.uuid().primary(),
    /** As `YYYY-MM`. */
    month: p.text().primary(),
    /** Ordered by the time of recording. */
    id: p.uuid().defaultRaw('uuidv7()'),
    /** The billed unit. */
    unit: p.enum(['license', 'instance'] as const),
    licenseCount: p.integer(),
    activeDays: p.integer(),
    /** Null on bills from before instances were counted, which have no lines, either. */
    instanceCount: p.integer().nullable(),
    instanceDays: p.integer().nullable(),
    chargedDays: p.integer().nullable(),
    /** In hundredths of the currency. */
    total: p.bigint('number'),
    currency: p.text(),
    recordedAt: p.datetime().defaultRaw('now()'),
  },
});
export class ResellerBill extends ResellerBillSchema.class {}
ResellerBillSchema.setClass(ResellerBill);
