// Revokes and activates a license: as the platform wants it, and the reseller that has provisioned it.
import type { EntityManager } from '../../database/connection.ts';
import type { License } from '../../entities/index.ts';
import type { AgentAccess } from '../agents/index.ts';

interface Wills {
  /** What the platform wants. */
  isRevoked?: boolean;
  /** What the reseller wants. */
  isSuspended?: boolean;
}

/** It is active while nobody is against it. Its agents are cut off otherwise; who may know of it is told elsewhere. */
export async function changeLicense(
  em: EntityManager,
  agentAccess: AgentAccess,
  license: License,
  { isRevoked = isRevokedByPlatform(license), isSuspended = license.isSuspended }: Wills,
): Promise<void> {
  const status = isRevoked || isSuspended ? 'revoked' : 'active';
  license.isSuspended = isSuspended;
  if (status === 'active') license.revokedBy = null;
  else license.revokedBy = isRevoked ? 'platform' : 'reseller';
  if (license.status !== status) {
    license.status = status;
    license.revokedAt = status === 'revoked' ? new Date() : null;
    if (status === 'revoked') await agentAccess.revokeLicense(em, license.id);
  }
  await em.flush();
}

export const isRevokedByPlatform = ({ status, revokedBy }: License): boolean =>
  status === 'revoked' && revokedBy !== 'reseller';
