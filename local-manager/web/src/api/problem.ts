// What can go wrong between the page and the manager, as errors that say it in words.
import type { components } from '../../../../generated/local-manager.d.ts';

export type Problem = components['schemas']['Problem'];
export type OperationProblem = components['schemas']['OperationProblem'];

/** The manager has refused or failed, and says why. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** No answer that could be read: the manager has ended, or something else answers in its place. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError';
}

export function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' && value !== null && 'code' in value && 'detail' in value && 'title' in value
  );
}

export function problemOf(error: unknown): Problem | null {
  return error instanceof ProblemError ? error.problem : null;
}

/** Whether asking again soon may help without anybody doing something. */
export function isWorthRetrying(error: unknown): boolean {
  return problemOf(error)?.code === 'unavailable';
}
