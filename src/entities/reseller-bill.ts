// What a month has come to for a reseller, recorded once it is over; never changed.
import { defineEntity, p } from '@mikro-orm/core';

export const ResellerBillSchema = defineEntity({
  name: 'ResellerBill',
  tableName: 'reseller_bill',
  properties: {
    resellerId: p.uuid().primary(),
    /** As `YYYY-MM`. */
    month: p.text().primary(),
    /** In the order in which bills were recorded. */
    id: p.uuid().defaultRaw('uuidv7()'),
    /** What was charged for. */
    unit: p.enum(['license', 'instance'] as const),
    licenseCount: p.integer(),
    activeDays: p.integer(),
    /** Null on bills from before instances were counted, which have no lines of their own either. */
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
