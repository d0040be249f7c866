// How long refresh tokens last, and which of them may be sent again.
import type { EntityManager } from '../../database/connection.ts';
import { RefreshToken } from '../../entities/index.ts';

export const refreshTokenSeconds = 30 * 24 * 60 * 60;

/** How long after its use a refresh token may be sent again by a client that did not receive the response. */
const repeatableMs = 30_000;

export const refreshTokenEnd = () => new Date(Date.now() + refreshTokenSeconds * 1000);

/** Returns the successor of a token that is sent again, if the response may have been lost; see `Sessions.refresh`. */
export async function successorToReplace(
  em: EntityManager,
  { usedAt, successorHash }: RefreshToken,
): Promise<RefreshToken | undefined> {
  if (!usedAt || !successorHash || Date.now() - usedAt.getTime() >= repeatableMs) return undefined;
  return (await em.findOne(RefreshToken, { tokenHash: successorHash, usedAt: null })) ?? undefined;
}
