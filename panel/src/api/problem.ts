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

const isAtNoField = (): boolean => false;

/** The error in words. Faults whose pointer a form shows at its field are left out. */
export function textOf(error: Error, isAtField: (pointer: string) => boolean = isAtNoField): ProblemText {
  const problem = problemOf(error);
  if (problem === null) return textWithoutProblem(error);
  const faults = (problem.errors ?? []).filter(
    ({ in: place, pointer }) => place !== 'body' || !isAtField(pointer),
  );
  // The platform's own sentence repeats the first fault, with its JSON pointer.
  const hasPlaces = problem.code === 'validation_failed' && (problem.errors ?? []).length > 0;
  const { title, detail } = hasPlaces ? commonText('invalid') : problemWords(problem);
  return {
    title,
    detail,
    faults: faults.map((fault) => [placeOf(fault.pointer), faultText(fault)].filter(Boolean).join(': ')),
    // What is marked at its field needs no support.
    ...((!hasPlaces || faults.length > 0) && { requestId: problem.request_id }),
  };
}

/** A failure that the platform has not described: of a proxy, of the network or of the panel itself. */
function textWithoutProblem(error: Error): ProblemText {
  if (error instanceof HttpError) return commonText('unexpected', error.status);
  return isUnreachable(error)
    ? commonText('unreachable')
    : { ...commonText('fault'), report: reportOf(error) };
}

function commonText(kind: 'unreachable' | 'invalid' | 'unexpected' | 'fault', status = 0) {
  const { t } = i18next;
  return {
    title: t(`common:problem.${kind}.title`),
    detail: t(`common:problem.${kind}.detail`, { status }),
  };
}

/** The error in one line, for lists of results. */
export function reasonOf(error: Error): string {
  const { title, detail, faults = [] } = textOf(error);
  // Advice to correct what is marked is for forms, and advice on the connection is needed once, not in each line.
  const isKnown = problemOf(error) !== null || error instanceof HttpError;
  return faults.join(' · ') || (isKnown ? detail : title);
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

/**
 * The platform's objection to a field of the request's body, by its pointer such as `/name`, or by a code that is about
 * this field, such as `name_taken`.
 */
export function faultAt(
  error: Error | null,
  pointer: string,
  ...codes: Problem['code'][]
): string | undefined {
  const problem = problemOf(error);
  if (problem !== null && codes.includes(problem.code)) return conditionOf(problem);
  const fault = problem?.errors?.find((each) => each.in === 'body' && each.pointer === pointer);
  return fault && faultText(fault);
}

/** What is wrong, for a place where the advice is obvious: the platform's detail, or the title in another language. */
export function conditionOf(problem: Problem): string {
  const { title, detail } = problemWords(problem);
  return detail === problem.detail ? detail : title;
}
