// Requests of the contract's examples, about rows that exist.
import { createResellerOf, createKeyWithText, createRow, type Rows } from './rows.ts';
import { alternativesOf, idFieldsOf, type ContractOperation } from './contract.ts';
import type { Tenant, World } from './world.ts';

/** Credentials of a caller who may do everything in the license. */
export async function credentialsFor(
  operation: ContractOperation,
  world: World,
  tenant: Tenant,
): Promise<Record<string, string>> {
  const [alternative] = alternativesOf(operation);
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  switch (alternative?.scheme) {
    case undefined:
      return {};
    case 'bearerAuth':
      return bearer(tenant.owner.token);
    case 'superAdmin':
      return bearer(world.admin.token);
    case 'apiKey':
      return { 'X-Api-Key': (await createKeyWithText(world, tenant)).key };
    case 'companionToken':
      return bearer(tenant.license.companion_token);
    case 'hostKey':
      return bearer((await createResellerOf(world, tenant)).key);
    case 'licenseKey':
      return { 'X-License-Key': tenant.license.key };
    default:
      throw new Error(`add credentials for ${alternative?.scheme ?? ''} to this file`);
  }
}

/** When the contract's examples take place. */
const exampleMs = Date.parse('2026-11-21T10:00:00.000Z');

/** The example as if it took place now: the platform refuses old events of players. */
function asOfNow(example: unknown): unknown {
  const aheadMs = Date.now() - exampleMs;
  return JSON.parse(JSON.stringify(example), (_key, value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
      ? new Date(Date.parse(value) + aheadMs).toISOString()
      : value,
  );
}

/** The example with the ids of existing rows in place of its own. */
export async function withRows(
  operation: ContractOperation,
  example: unknown,
  world: World,
  tenant: Tenant,
  known: Rows,
): Promise<unknown> {
  const value = operation.area === 'plugin-events' ? asOfNow(example) : structuredClone(example);
  for (const { in: place, name, path } of idFieldsOf(operation)) {
    if (place !== 'body' || !isThere(value, path)) continue;
    const isOwn = name === 'license_id' && operation.id === 'switchLicense';
    const id = isOwn ? tenant.license.id : (known[name] ?? (await createRow(name, world, tenant, known)));
    replaceAt(value, path, id);
  }
  return value;
}

function isThere(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return typeof value === 'string';
  if (typeof value !== 'object' || value === null) return false;
  if (step === '*') return Object.values(value).some((item) => isThere(item, rest));
  return isThere((value as Record<string, unknown>)[step], rest);
}

function replaceAt(value: unknown, path: readonly string[], id: string): void {
  const [step = '', ...rest] = path;
  if (typeof value !== 'object' || value === null) return;
  const steps = step === '*' ? Object.keys(value) : [step];
  for (const key of steps) {
    const fields = value as Record<string, unknown>;
    if (rest.length > 0) replaceAt(fields[key], rest, id);
    else if (typeof fields[key] === 'string') fields[key] = id;
  }
}
