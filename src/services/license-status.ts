// Revokes and activates a license: for the platform, or for the reseller that has provisioned it.
import type { EntityManager } from '../database/connection.ts';
import type { License } from '../entities/index.ts';
import type { AgentAccess } from './agents.ts';

/** Has the license revoked by whoever is named, or active. Its agents are cut off; who may know of it is told elsewhere. */
export async function changeLicense(
  em: EntityManager,
  agentAccess: AgentAccess,
  license: License,
  revokedBy: 'platform' | 'reseller' | null,
): Promise<void> {
  const status = revokedBy === null ? 'active' : 'revoked';
  license.revokedBy = revokedBy;
  if (license.status !== status) {
    license.status = status;
    license.revokedAt = status === 'revoked' ? new Date() : null;
    if (status === 'revoked') await agentAccess.revokeLicense(em, license.id);
  }
  await em.flush();
}
