// Words the events of the automation.
import { kindInWords } from '../operations/kind-words.ts';
import type { Operation } from '../operations/operation-run.ts';

/** `Create backup failed at “Dump the database”: …` */
export function failureOf({ kind, steps, problem }: Operation): string {
  const step = steps.findLast(({ state }) => state === 'failed')?.name;
  return `${kindInWords(kind)} failed${step === undefined ? '' : ` at “${step}”`}: ${problem?.detail ?? 'the reason is unknown'}`;
}

export const timeOf = (date: Date): string => date.toTimeString().slice(0, 5);
