// Which fault of a request belongs to which field of its form.
import { problemOf } from '../api/problem.ts';

/** What the manager says of a field, for the form to show there. */
export function faultAt(error: Error | null, pointer: string): string | undefined {
  const faults = problemOf(error)?.errors ?? [];
  return faults.find((fault) => fault.in === 'body' && fault.pointer === pointer)?.detail;
}
