// Errors between the page and the manager, with texts for people.
import type { components } from '../../../../generated/local-manager.d.ts';

export type Problem = components['schemas']['Problem'];
export type OperationProblem = components['schemas']['OperationProblem'];

/** The manager refused or failed, with the reason. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** No readable response: the manager has ended, or another program responds in its place. */
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

/** Whether a retry may help without any action of the user. */
export function isWorthRetrying(error: unknown): boolean {
  return problemOf(error)?.code === 'unavailable';
}
