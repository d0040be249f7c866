// One license's line on a recorded bill; never changed.
import { defineEntity, p } from '@mikro-orm/core';

export const ResellerBillLineSchema = defineEntity({
  name: 'ResellerBillLine',
  tableName: 'reseller_bill_line',
  properties: {
    resellerId: p.uuid().primary(),
    /** As `YYYY-MM`. */
    month: p.text().primary(),
    resellerLicenseId: p.uuid().primary(),
    activeDays: p.integer(),
    instanceCount: p.integer(),
    instanceDays: p.integer(),
    chargedDays: p.integer(),
    /** In hundredths of the bill's currency. */
    amount: p.bigint('number'),
    active: p.json<{ from: string; to: string | null }[]>(),
  },
});
export class ResellerBillLine extends ResellerBillLineSchema.class {}
ResellerBillLineSchema.setClass(ResellerBillLine);
