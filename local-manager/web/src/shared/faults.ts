// Assigns the errors of a request to the fields of its form.
import { problemOf } from '../api/problem.ts';

/** The manager's error about a field, for the form. */
export function faultAt(error: Error | null, pointer: string): string | undefined {
  const faults = problemOf(error)?.errors ?? [];
  const found = faults.find((fault) => fault.in === 'body' && fault.pointer === pointer);
  return found === undefined ? undefined : faultInWords(found.detail);
}

/** The contract's patterns are not readable for people. */
export const faultInWords = (detail: string): string =>
  detail.replace(/must match pattern .*$/s, 'has characters that cannot be there, or not the right form');
