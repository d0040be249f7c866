// Revokes and activates a license, by decision of the platform and of the reseller that provisioned it.
import type { EntityManager } from '../../database/connection.ts';
import type { License } from '../../entities/index.ts';
import type { AgentAccess } from '../agents/index.ts';

interface Wills {
  /** The platform's decision. */
  isRevoked?: boolean;
  /** The reseller's decision. */
  isSuspended?: boolean;
}

/**
 * A license is active unless the platform or the reseller objects. Otherwise its agents are disconnected. The caller
 * announces the change, so that users and consoles are rechecked.
 */
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
