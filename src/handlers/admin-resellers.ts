// Operations of the area `admin-resellers`.
import type { Schemas } from '../platform-contract/types.ts';
import { Table, type Columns } from '../results/results.ts';
import { hundredthsInWords } from '../payments/money.ts';
import type {
  KeyedReseller,
  RecordedBillRow,
  RecordedBills,
  ResellerRow,
} from '../services/admin-resellers.ts';
import { viewPage, type Handlers } from './handlers.ts';
import { tableOfBill, viewBill } from './resellers.ts';

export const adminResellers = {
  listResellers: async (ctx, { query }) =>
    viewPage(await ctx.services.adminResellers.list(ctx, query), viewReseller),
  createReseller: async (ctx, { body }) => viewKeyed(await ctx.services.adminResellers.create(ctx, body)),
  getReseller: async (ctx, { path }) =>
    viewReseller(await ctx.services.adminResellers.get(ctx, path.reseller_id)),
  updateReseller: async (ctx, { path, body }) =>
    viewReseller(await ctx.services.adminResellers.update(ctx, path.reseller_id, body)),
  listResellerBills: async (ctx, { query, wantsCsv }) =>
    viewBills(await ctx.services.adminResellers.listBills(ctx, query, wantsCsv ? 'everything' : 'page')),
  getResellerBill: async (ctx, { path, wantsCsv }) => {
    const bill = await ctx.services.adminResellers.bill(ctx, path.reseller_id, path.month);
    return wantsCsv ? tableOfBill(bill) : viewBill(bill);
  },
  rotateResellerKey: async (ctx, { path }) =>
    viewKeyed(await ctx.services.adminResellers.replaceKey(ctx, path.reseller_id)),
} satisfies Partial<Handlers>;

const viewBills = (bills: RecordedBills) =>
  'rows' in bills ? viewPage(bills, viewRecordedBill) : new Table('reseller-bills.csv', columns, bills);

function viewRecordedBill(bill: RecordedBillRow): Schemas['ResellerBillSummary'] {
  return {
    month: bill.month,
    reseller_id: bill.reseller_id,
    reseller_name: bill.reseller_name,
    license_count: bill.license_count,
    active_days: bill.active_days,
    instance_count: bill.instance_count,
    instance_days: bill.instance_days,
    charged_days: bill.charged_days,
    billing_unit: bill.unit,
    total: hundredthsInWords(bill.total, bill.currency),
    recorded_at: bill.recorded_at,
  };
}

const columns = {
  month: ({ month }) => month,
  reseller_id: ({ reseller_id }) => reseller_id,
  reseller_name: ({ reseller_name }) => reseller_name,
  license_count: ({ license_count }) => license_count,
  active_days: ({ active_days }) => active_days,
  instance_count: ({ instance_count }) => instance_count,
  instance_days: ({ instance_days }) => instance_days,
  charged_days: ({ charged_days }) => charged_days,
  billing_unit: ({ unit }) => unit,
  total: ({ total, currency }) => hundredthsInWords(total, currency).amount,
  currency: ({ currency }) => currency,
  recorded_at: ({ recorded_at }) => recorded_at,
} satisfies Columns<RecordedBillRow>;

function viewReseller(reseller: ResellerRow): Schemas['Reseller'] {
  return {
    id: reseller.id,
    name: reseller.name,
    status: reseller.status,
    key_identifier: reseller.key_identifier,
    wholesale_rate: reseller.wholesale_rate,
    next_wholesale_rate: reseller.next_wholesale_rate,
    billing_unit: reseller.billing_unit,
    next_billing_unit: reseller.next_billing_unit,
    license_count: reseller.license_count ?? 0,
    created_at: reseller.created_at,
  };
}

const viewKeyed = ({ row, key }: KeyedReseller): Schemas['CreatedReseller'] => ({
  ...viewReseller(row),
  key,
});
