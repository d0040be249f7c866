// Assigns the errors of a request to the fields of its form.
import { problemOf } from '../api/problem.ts';

/** The manager's error about a field, for the form. */
export function faultAt(error: Error | null, pointer: string): string | undefined {
  const faults = problemOf(error)?.errors ?? [];
  const found = faults.find((fault) => fault.in === 'body' && fault.pointer === pointer);
  return found === undefined ? undefined : faultInWords(found.detail);
}

/** The rules of the contract, in words. The first that matches counts. */
const rules: readonly [RegExp, (...parts: string[]) => string][] = [
  [/must match pattern .*/s, () => 'has characters that cannot be there, or not the right form'],
  [/must match format .*/s, () => 'does not have the right form'],
  [/must NOT have fewer than (\d+) characters?/, (least) => `needs at least ${least} characters`],
  [/must NOT have more than (\d+) characters?/, (most) => `takes at most ${most} characters`],
  [/must NOT have fewer than (\d+) items?/, (least) => `needs at least ${least}`],
  [/must NOT have more than (\d+) items?/, (most) => `takes at most ${most}`],
  [/must have required property '?(\w+)'?/, (name) => `is incomplete: ${fieldInWords(name)} is missing`],
  [/must NOT have additional properties/, () => 'has something that is not known here'],
  [/must be equal to (one of the allowed values|constant)/, () => 'is none of the choices'],
  [/must be multiple of ([\d.]+)/, (step) => `goes in steps of ${step}`],
  [/must be >=? ([\d.-]+)/, (least) => `has to be at least ${least}`],
  [/must be <=? ([\d.-]+)/, (most) => `has to be at most ${most}`],
  [/must be integer/, () => 'has to be a whole number'],
  [/must be number/, () => 'has to be a number'],
  [/must be (string|boolean|object|array|null)/, () => 'does not have the right form'],
];

/** The contract's rules are not written for people. */
export function faultInWords(detail: string): string {
  for (const [rule, words] of rules) {
    const found = rule.exec(detail);
    if (found !== null) return words(...found.slice(1));
  }
  return detail;
}

/** `/worldName` and `/changes/0/value` as the label of a field: “World name”, “Value”. */
export function fieldInWords(pointer = ''): string {
  const name = pointer.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? '';
  const words = name
    .replace(/GB$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\bip\b/, 'IP address')
    .replace(/\bdns\b/, 'name servers');
  return words === '' ? 'The input' : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
