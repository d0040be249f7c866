// Turns the refusal of a unique constraint into the one that callers know.
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { DomainError } from '../errors.ts';

/** Runs a write. When one of these unique constraints refuses it, throws what is named for that constraint. */
export async function refusing<T>(
  refusals: Readonly<Record<string, () => DomainError>>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    const { constraint } = error as { constraint?: string };
    throw refusals[constraint ?? '']?.() ?? error;
  }
}
