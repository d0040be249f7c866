// Assigns the errors of a request to the fields of its form.
import { problemOf } from '../api/problem.ts';

/** The manager's error about a field, for the form. */
export function faultAt(error: Error | null, pointer: string): string | undefined {
  const faults = problemOf(error)?.errors ?? [];
  return faults.find((fault) => fault.in === 'body' && fault.pointer === pointer)?.detail;
}

/** `/worldName` and `/changes/0/value` as the label of a field: “World name”, “Value”. */
export function fieldInWords(pointer = ''): string {
  const name = pointer.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? '';
  const words = name
    .replace(/GB$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\bip\b/, 'IP address')
    .replace(/\bdns\b/, 'DNS servers');
  return words === '' ? 'The input' : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
