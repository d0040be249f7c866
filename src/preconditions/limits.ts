// Count limits that hold under concurrent requests.
import type { EntityManager } from '../database/connection.ts';
import { holdLock } from '../database/advisory-locks.ts';
import { License } from '../entities/index.ts';
import { DomainError } from '../errors.ts';

export interface Limit {
  /**
   * The owner and the kind of the limit. Requests with the same subject are serialised until their transactions end.
   */
  subject: string;
  max: number;
  count: () => Promise<number>;
  /** The message for the caller when the limit is reached. */
  detail: string;
  /** The stricter limit of sandboxes, which unauthenticated callers create. */
  inSandbox?: { licenseId: string; max: number };
}

/** Throws `limit_reached` unless one more fits. */
export async function refuseBeyond(em: EntityManager, limit: Limit): Promise<void> {
  if ((await roomWithin(em, limit)) <= 0) throw limitReached(limit);
}

/** Returns how many more fit. */
export async function roomWithin(em: EntityManager, limit: Limit): Promise<number> {
  await holdLock(em, lockOf(limit));
  return (await maxOf(em, limit)) - (await limit.count());
}

/** The subject of the lock that serialises requests for the limit. */
export const lockOf = ({ subject }: Pick<Limit, 'subject'>): string => `limit ${subject}`;

async function maxOf(em: EntityManager, { max, inSandbox }: Limit): Promise<number> {
  if (inSandbox === undefined) return max;
  const sandboxes = await em.count(License, { id: inSandbox.licenseId, isSandbox: true });
  return sandboxes > 0 ? Math.min(max, inSandbox.max) : max;
}

export const limitReached = ({ detail }: Pick<Limit, 'detail'>) => new DomainError('limit_reached', detail);
