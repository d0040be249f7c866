// Limits on how many of something there may be, which hold however many ask at once.
import type { EntityManager } from '../database/connection.ts';
import { holdTurn } from '../database/advisory-locks.ts';
import { DomainError } from '../errors.ts';

export interface Limit {
  /** Whose limit it is and of what; requests of one subject take turns until their transactions end. */
  subject: string;
  most: number;
  count: () => Promise<number>;
  /** For the caller, when there is no room for another. */
  detail: string;
}

/** Throws `limit_reached` unless there is room for one more. */
export async function refuseBeyond(em: EntityManager, limit: Limit): Promise<void> {
  if ((await roomWithin(em, limit)) <= 0) throw limitReached(limit);
}

/** How many more there may be. */
export async function roomWithin(em: EntityManager, { subject, most, count }: Limit): Promise<number> {
  await holdTurn(em, `limit ${subject}`);
  return most - (await count());
}

export const limitReached = ({ detail }: Pick<Limit, 'detail'>) => new DomainError('limit_reached', detail);
