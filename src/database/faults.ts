// What PostgreSQL or the way to it may do to us, as refusals that callers know.
import { ForeignKeyConstraintViolationException, UniqueConstraintViolationException } from '@mikro-orm/core';
import { DomainError } from '../errors.ts';

/** The error and what has caused it. */
export function causesOf(thrown: unknown): (Error & { code?: unknown })[] {
  const causes: Error[] = [];
  for (let error = thrown; Error.isError(error) && !causes.includes(error); error = error.cause)
    causes.push(error);
  return causes;
}

export const diskFull = '53100';

/**
 * Connections that fail or end, servers that start or stop, statements that took too long, and servers that take no
 * writes: standbys and read-only ones, full disks, and those out of memory or connections.
 */
const troubleCodes = new Set<unknown>([
  'ECONNREFUSED',
  'ENOENT',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08003',
  '08006',
  '53000',
  diskFull,
  '53200',
  '53300',
  '53400',
]);
/** A write was refused: by a server that takes none, or, in a transaction that was begun for reading, as our mistake. */
const readOnly = '25006';

/** What a standby says where it does not say that it is read-only. */
const standbyMessages = /(?:during|while) recovery|recovery is in progress/;

/** Whether that session takes no writes: the server may take them from sessions that are opened now. */
export function isWriteRefusal(thrown: unknown): boolean {
  return causesOf(thrown).some(({ code, message }) => code === readOnly || standbyMessages.test(message));
}

const troubleMessages =
  /timeout exceeded when trying to connect|Connection terminated|the database system is|Client has encountered a connection error/;

/**
 * Throws `unavailable` when the database could not be reached, did not answer in time or took no writes, otherwise the
 * error itself.
 */
export function throwUnavailable(thrown: unknown): never {
  throwTrouble(thrown, isWriteRefusal(thrown));
}

/** The same for transactions that were begun for reading. */
export function throwUnreadable(thrown: unknown): never {
  throwTrouble(thrown, false);
}

function throwTrouble(thrown: unknown, isWriteRefused: boolean): never {
  const causes = causesOf(thrown);
  const isTrouble =
    isWriteRefused ||
    causes.some(({ code, message }) => troubleCodes.has(code) || troubleMessages.test(message));
  if (!isTrouble || thrown instanceof DomainError) throw thrown;
  const isFull = causes.some(({ code }) => code === diskFull);
  throw new DomainError('unavailable', detailOf(isFull, isWriteRefused), { cause: thrown });
}

function detailOf(isFull: boolean, isWriteRefused: boolean): string {
  if (isFull) return "The database's disk is full; try again later.";
  if (isWriteRefused) return 'The database takes no changes at present: it is read-only. Try again later.';
  return 'The database can not be reached; try again soon.';
}

/**
 * Runs a write. When a unique constraint or a foreign key refuses it, throws what is named for that constraint: the
 * value is taken, or what the row refers to is gone.
 */
export async function refusing<T>(
  refusals: Readonly<Record<string, () => DomainError>>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const isRefused =
      error instanceof UniqueConstraintViolationException ||
      error instanceof ForeignKeyConstraintViolationException;
    if (!isRefused) throw error;
    const { constraint } = error as { constraint?: string };
    throw refusals[constraint ?? '']?.() ?? error;
  }
}
