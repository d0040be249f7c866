// Errors of the platform and of the network, in words and at the fields of forms.
import { HttpError, ProblemError, type Problem } from '@gantry/client';
import i18next from 'i18next';
import type { ProblemText } from '@gantry/ui/problem-text.ts';
import { StepUpDeclined } from '../session/step-up.ts';
import { faultText } from './fault-text.ts';
import { problemWords } from './problem-words.ts';
import { isUnreachable } from './unreachable.ts';

export const problemOf = (error: unknown): Problem | null =>
  error instanceof ProblemError ? error.problem : null;

export const hasCode = (error: unknown, ...codes: Problem['code'][]): boolean => {
  const code = problemOf(error)?.code;
  return code !== undefined && codes.includes(code);
};

/** Whether there is something to show; a dialog that the user closed is none. */
export const isShown = (error: Error | null): error is Error =>
  error !== null && !(error instanceof StepUpDeclined);

export interface FallbackWords {
  unreachable: { title: string; detail: string };
  /** Some of what was sent is refused. */
  invalid: { title: string; detail: string };
  unexpected: (status: number) => { title: string; detail: string };
  /** The panel itself failed. */
  fault: { title: string; detail: string };
}

/** The error in words. Faults whose pointer a form shows at its field are left out. */
export function textOf(
  error: Error,
  words: FallbackWords,
  isAtField: (pointer: string) => boolean,
): ProblemText {
  const problem = problemOf(error);
  if (problem === null) {
    if (error instanceof HttpError) return words.unexpected(error.status);
    return isUnreachable(error) ? words.unreachable : { ...words.fault, report: reportOf(error) };
  }
  const faults = (problem.errors ?? []).filter(
    ({ in: place, pointer }) => place !== 'body' || !isAtField(pointer),
  );
  // The platform's own sentence repeats the first fault, with its JSON pointer.
  const hasPlaces = problem.code === 'validation_failed' && (problem.errors ?? []).length > 0;
  const { title, detail } = hasPlaces ? words.invalid : problemWords(problem);
  return {
    title,
    detail,
    faults: faults.map((fault) => [placeOf(fault.pointer), faultText(fault)].filter(Boolean).join(': ')),
    // What is marked at its field needs no support.
    ...((!hasPlaces || faults.length > 0) && { requestId: problem.request_id }),
  };
}

/** One sentence, for results of many requests. */
export function reasonOf(error: Error): string {
  const problem = problemOf(error);
  if (problem !== null) return problemWords(problem).detail;
  const { t } = i18next;
  if (isUnreachable(error)) return t('common:problem.unreachable.title');
  if (error instanceof HttpError) return t('common:problem.unexpected.detail', { status: error.status });
  return t('common:problem.fault.title');
}

export const reportOf = (error: Error): string => error.stack ?? error.message;

/** A JSON pointer in words: "/items/0/max_price" is "items 1, max price". */
const placeOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~').replaceAll('_', ' '))
    .reduce((place, step) => {
      if (/^\d+$/.test(step)) return `${place} ${Number(step) + 1}`.trim();
      return place === '' ? step : `${place}, ${step}`;
    }, '');

/** The platform's objection to a field of the request's body, by its pointer such as `/name`. */
export function faultAt(error: Error | null, pointer: string): string | undefined {
  const faults = problemOf(error)?.errors ?? [];
  const fault = faults.find((each) => each.in === 'body' && each.pointer === pointer);
  return fault && faultText(fault);
}
