// Translates failures of PostgreSQL and of connections to it into refusals that callers know.
import { ForeignKeyConstraintViolationException, UniqueConstraintViolationException } from '@mikro-orm/core';
import { DomainError } from '../errors.ts';

/** The error and its chain of causes. */
export function causesOf(thrown: unknown): (Error & { code?: unknown })[] {
  const causes: Error[] = [];
  for (let error = thrown; Error.isError(error) && !causes.includes(error); error = error.cause)
    causes.push(error);
  return causes;
}

export const diskFull = '53100';

/**
 * Connections that fail or end, servers that start or stop, statement timeouts, and servers that take no writes:
 * standbys, read-only servers, full disks, and servers out of memory or connections.
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
/** A write was refused: because the server takes none or, in a read-only transaction, because of our mistake. */
const readOnly = '25006';

/** Messages of a standby that do not use the read-only code. */
const standbyMessages = /(?:during|while) recovery|recovery is in progress/;

/** Whether the session takes no writes. A newly opened session may take them. */
export function isWriteRefusal(thrown: unknown): boolean {
  return causesOf(thrown).some(({ code, message }) => code === readOnly || standbyMessages.test(message));
}

/** Serialization failures and deadlocks, after which a retry may succeed. */
export function isLostRace(thrown: unknown): boolean {
  return causesOf(thrown).some(({ code }) => code === '40001' || code === '40P01');
}

/** Whether a foreign key refused the change: another transaction deleted the row that it refers to. */
export function isMissingReference(thrown: unknown): boolean {
  return causesOf(thrown).some(({ code }) => code === '23503');
}

const troubleMessages =
  /timeout exceeded when trying to connect|Connection terminated|the database system is|Client has encountered a connection error/;

/** Throws `unavailable` if the database was unreachable, timed out or took no writes; otherwise rethrows the error. */
export function throwUnavailable(thrown: unknown): never {
  throwTrouble(thrown, isWriteRefusal(thrown));
}

/** As `throwUnavailable`, for read-only transactions. */
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
  return 'The database cannot be reached; try again soon.';
}

/**
 * Runs a write. If a unique constraint or a foreign key refuses it, throws the refusal given for that constraint: the
 * value is taken, or the referenced row is gone.
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
