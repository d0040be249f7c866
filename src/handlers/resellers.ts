// Operations of the area `resellers`.
import type { Schemas } from '../platform-contract/types.ts';
import { Table, type Columns } from '../results/results.ts';
import type { DomainError } from '../errors.ts';
import { problems } from '../platform-contract/problems.ts';
import { hundredthsInWords } from '../payments/money.ts';
import type { Bill, BillLine } from '../services/resellers/bills.ts';
import type { ProvisionedLicense, ProvisioningResult } from '../services/resellers/provisioning.ts';
import type { ResoldLicenseRow } from '../services/resellers/resold-licenses.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const resellers = {
  provisionLicenses: async (ctx, { body }) =>
    viewProvisioning(await ctx.services.resellers.provision(ctx, body), body.dry_run ?? false),
  listProvisionedLicenses: async (ctx, { query }) =>
    viewPage(await ctx.services.resellers.list(ctx, query), viewLicense),
  getProvisionedLicense: async (ctx, { path }) =>
    viewLicense(await ctx.services.resellers.get(ctx, path.reseller_license_id)),
  updateProvisionedLicense: async (ctx, { path, body }) =>
    viewLicense(await ctx.services.resellers.update(ctx, path.reseller_license_id, body)),
  getOwnResellerBill: async (ctx, { path, wantsCsv }) => {
    const bill = await ctx.services.resellers.bill(ctx, path.month);
    return wantsCsv ? tableOfBill(bill) : viewBill(bill);
  },
} satisfies Partial<Handlers>;

function viewProvisioning(results: ProvisioningResult[], isDryRun: boolean): Schemas['ProvisioningReport'] {
  const count = (outcome: Schemas['ProvisioningOutcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    dry_run: isDryRun,
    created: count('created'),
    existing: count('existing'),
    failed: count('failed'),
    results: results.map(({ serverId, outcome, license, refusal }) => ({
      server_id: serverId,
      outcome,
      license: license === undefined ? null : viewProvisioned(license),
      problem: refusal === undefined ? null : viewProblem(refusal),
    })),
  };
}

function viewProvisioned(license: ProvisionedLicense): Schemas['ProvisionedLicense'] {
  return {
    reseller_license_id: license.id,
    license_id: license.license_id,
    status: license.status,
    license_key: license.licenseKey,
    companion_token: license.companionToken,
    plugin_download_url: license.pluginDownloadUrl,
    subdomain: license.subdomain,
    panel_url: license.panelUrl,
  };
}

function viewProblem({ code, message }: DomainError): Schemas['ProvisioningProblem'] {
  const kind = problems.kinds[code];
  if (kind === undefined) throw new Error(`the problem table has no kind for ${code}`);
  return { code, title: kind.title, status: kind.status, detail: message };
}

function viewLicense(license: ResoldLicenseRow): Schemas['ResellerLicense'] {
  return {
    id: license.id,
    license_id: license.license_id,
    server_id: license.server_id,
    hostname: license.hostname,
    customer_email: license.customer_email,
    subdomain: license.subdomain,
    status: license.status,
    created_at: license.created_at,
    status_changed_at: license.status_changed_at,
  };
}

export function viewBill(bill: Bill): Schemas['ResellerBill'] {
  const { currency, lines, month } = bill;
  return {
    month: month.name,
    is_provisional: bill.isProvisional,
    recorded_at: bill.recordedAt,
    billing_unit: bill.unit,
    wholesale_rate: hundredthsInWords(bill.rate, currency),
    days_in_month: month.days,
    license_count: lines.length,
    active_days: bill.activeDays,
    instance_count: bill.instanceCount,
    instance_days: bill.instanceDays,
    charged_days: bill.chargedDays,
    total: hundredthsInWords(bill.total, currency),
    lines: lines.map((line) => viewLine(line, currency)),
  };
}

function viewLine(line: BillLine, currency: string): Schemas['ResellerBillLine'] {
  return {
    reseller_license_id: line.id,
    license_id: line.license_id,
    server_id: line.server_id,
    hostname: line.hostname,
    customer_email: line.customer_email,
    active_days: line.activeDays,
    instance_count: line.instanceCount,
    instance_days: line.instanceDays,
    charged_days: line.chargedDays,
    amount: hundredthsInWords(line.amount, currency),
    active: line.active,
  };
}

/** One row per bill line. */
export function tableOfBill({ month, currency, lines, rate, unit, recordedAt }: Bill): Table<never> {
  const columns = {
    month: () => month.name,
    is_provisional: () => recordedAt === null,
    server_id: ({ server_id }) => server_id,
    hostname: ({ hostname }) => hostname,
    customer_email: ({ customer_email }) => customer_email,
    reseller_license_id: ({ id }) => id,
    license_id: ({ license_id }) => license_id,
    active: ({ active }) => active.map(({ from, to }) => `${from}/${to ?? ''}`).join(' '),
    active_days: ({ activeDays }) => activeDays,
    days_in_month: () => month.days,
    wholesale_rate: () => hundredthsInWords(rate, currency).amount,
    amount: ({ amount }) => hundredthsInWords(amount, currency).amount,
    currency: () => currency,
    instance_count: ({ instanceCount }) => instanceCount,
    instance_days: ({ instanceDays }) => instanceDays,
    charged_days: ({ chargedDays }) => chargedDays,
    billing_unit: () => unit,
  } satisfies Columns<BillLine>;
  return new Table(`bill-${month.name}.csv`, columns, lines);
}
