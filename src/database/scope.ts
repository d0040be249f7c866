// The scopes of a transaction, and the statements that open it with one.

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** One license's rows, the rows that a reseller may see, or (null) the whole platform's rows. */
export type Scope = { licenseId: string } | { resellerId: string } | null;

/** SQL that narrows the running transaction to one license or reseller. */
export function openScope(scope: NonNullable<Scope>): string {
  const { role = '', variables } = narrowingOf(scope);
  const settings = Object.entries(variables).map(([name, value]) => `set local ${name} = '${value}'`);
  return [`set local role ${role}`, ...settings].join('; ');
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
  if (!uuid.test(id)) throw new Error(`a ${what} id is a UUID`);
  return id;
}
