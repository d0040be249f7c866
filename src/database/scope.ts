// The scopes of a transaction, and the statements that open it with one.
import { formats } from '../values/formats.ts';

/** One license's rows, the rows that a reseller may see, or (null) the whole platform's rows. */
export type Scope = { licenseId: string } | { resellerId: string } | null;

/** SQL that narrows the running transaction to one license or reseller. */
export function openScope(scope: NonNullable<Scope>): string {
  const { role = '', variables } = narrowingOf(scope);
  const settings = Object.entries(variables).map(([name, value]) => `set local ${name} = '${value}'`);
  return [`set local role ${role}`, ...settings].join('; ');
}

/** The statement that makes the running transaction read-only and narrows it to the scope. */
export function readSettings(scope: Scope): { name: string; sql: string; values: string[] } {
  const { role, variables } = narrowingOf(scope);
  // The role comes last: it could lack the right to a setting.
  const settings = [
    ['transaction_read_only', 'on'] as const,
    ...Object.entries(variables),
    ...(role === undefined ? [] : [['role', role] as const]),
  ];
  const calls = settings.map(([name], index) => `set_config('${name}', $${index + 1}, true)`);
  return {
    name: `gantry_settings_${kindOf(scope)}`,
    sql: `select ${calls.join(', ')}`,
    values: settings.map(([, value]) => value),
  };
}

/** Scopes of one kind differ only in an id. */
export function kindOf(scope: Scope): 'platform' | 'license' | 'reseller' {
  if (scope === null) return 'platform';
  return 'licenseId' in scope ? 'license' : 'reseller';
}

interface Narrowing {
  /** The database role that the scope's policies apply to. */
  role?: string;
  variables: Record<string, string>;
}

export function narrowingOf(scope: Scope): Narrowing {
  if (scope === null) return { variables: {} };
  return 'licenseId' in scope
    ? { role: 'gantry_tenant', variables: { 'app.license_id': checkedId('license', scope.licenseId) } }
    : { role: 'gantry_reseller', variables: { 'app.reseller_id': checkedId('reseller', scope.resellerId) } };
}

export const closeScope = `set local role none; set local app.license_id = ''; set local app.reseller_id = ''`;

export function isSameScope(one: Scope, other: Scope): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function checkedId(what: string, id: string): string {
  if (!formats.uuid(id)) throw new Error(`a ${what} id is a UUID`);
  return id;
}
