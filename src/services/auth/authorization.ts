// Decides whether a principal may call an operation, and gives the reason.
import { licenseRequired, licenseRevoked, type Principal } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { DomainError } from '../../errors.ts';
import { grantingEntry, ownerRole } from './role-permissions.ts';

export interface Decision {
  isAllowed: boolean;
  reason: Schemas['AccessExplanation']['reason'];
  /** Each required permission, with the entry of the principal's map that grants it. */
  permissions: { permission: string; grantedBy: string | null }[];
}

/** The property of an operation that matters for the decision. */
interface AccessOptions {
  allowsRevoked: boolean;
}

/** Whether the principal may call an operation that requires these permissions in this scheme. */
export function decide(
  principal: Principal,
  scheme: string,
  permissions: readonly string[],
  { allowsRevoked }: AccessOptions,
): Decision {
  const { license } = principal;
  const entries = permissions.map((permission) => ({
    permission,
    grantedBy: license === null ? null : grantingEntry(license.permissions, permission),
  }));
  const because = (isAllowed: boolean, reason: Decision['reason']): Decision => ({
    isAllowed,
    reason,
    permissions: entries,
  });
  const isSuperAdmin = principal.kind === 'user' && principal.isSuperAdmin;
  if (scheme === 'superAdmin' && !isSuperAdmin) return because(false, 'not_super_admin');
  if (permissions.length === 0) return because(true, scheme === 'superAdmin' ? 'super_admin' : 'signed_in');
  if (license === null) return because(false, 'license_required');
  if (license.isRevoked && !(allowsRevoked && license.role === ownerRole))
    return because(false, 'license_revoked');
  const isMissing = entries.some(({ grantedBy }) => grantedBy === null);
  return because(!isMissing, isMissing ? 'permission_missing' : 'permissions_held');
}

/** Throws unless the principal may call the operation. */
export function authorize(
  principal: Principal,
  scheme: string,
  permissions: readonly string[],
  options: AccessOptions,
): void {
  const decision = decide(principal, scheme, permissions, options);
  if (!decision.isAllowed) throw refusalOf(decision);
}

function refusalOf({ reason, permissions }: Decision): DomainError {
  if (reason === 'license_required') return licenseRequired();
  if (reason === 'license_revoked') return licenseRevoked();
  if (reason === 'not_super_admin')
    return new DomainError('forbidden', 'Only super admins of the platform may call this operation.');
  const missing = permissions.filter(({ grantedBy }) => grantedBy === null);
  const names = missing.map(({ permission }) => permission).join(', ');
  return new DomainError('forbidden', `This operation requires the permission ${names}.`);
}
