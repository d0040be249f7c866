// Errors of the platform and of the network, in words and at the fields of forms.
import { HttpError, ProblemError, type Problem } from '@gantry/client';
import type { ProblemText } from '@gantry/ui/problem-notice.tsx';
import { StepUpDeclined } from '../session/step-up.ts';

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
  unexpected: (status: number) => { title: string; detail: string };
}

/** The error in words. Faults whose pointer a form shows at its field are left out. */
export function textOf(
  error: Error,
  words: FallbackWords,
  isAtField: (pointer: string) => boolean,
): ProblemText {
  const problem = problemOf(error);
  if (problem === null)
    return error instanceof HttpError ? words.unexpected(error.status) : words.unreachable;
  const faults = (problem.errors ?? []).filter(
    ({ in: place, pointer }) => place !== 'body' || !isAtField(pointer),
  );
  return {
    title: problem.title,
    detail: problem.detail,
    faults: faults.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()),
    requestId: problem.request_id,
  };
}

/** The platform's objection to a field of the request's body, by its pointer such as `/name`. */
export function faultAt(error: Error | null, pointer: string): string | undefined {
  const faults = problemOf(error)?.errors ?? [];
  return faults.find((fault) => fault.in === 'body' && fault.pointer === pointer)?.detail;
}
