// Which fault of a request belongs to which field of its form.
import { problemOf } from '../api/problem.ts';

/** What the manager says of a field, for the form to show there. */
export function faultAt(error: Error | null, pointer: string): string | undefined {
  const faults = problemOf(error)?.errors ?? [];
  const found = faults.find((fault) => fault.in === 'body' && fault.pointer === pointer);
  return found === undefined ? undefined : faultInWords(found.detail);
}

/** The contract's patterns are for programs. */
export const faultInWords = (detail: string): string =>
  detail.replace(/must match pattern .*$/s, 'has characters that can not be there, or not the right form');
