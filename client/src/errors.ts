// What a client's calls throw: the platform's problems, and answers that are none.
import type { components } from '../../generated/platform.d.ts';

export type Problem = components['schemas']['Problem'];

/** An answer that is no success. */
export class HttpError extends Error {
  override readonly name: string = 'HttpError';
  readonly status: number;
  readonly response: Response;

  constructor(message: string, response: Response) {
    super(message);
    this.status = response.status;
    this.response = response;
  }
}

/** The platform refused a request; decide on `problem.code`. */
export class ProblemError extends HttpError {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem, response: Response) {
    super(`${problem.code}: ${problem.detail}`, response);
    this.problem = problem;
  }
}

/** The problem of an answer; undefined when it is none, as what a proxy answers in the platform's place. */
export async function problemOf(response: Response): Promise<Problem | undefined> {
  if (!response.headers.get('Content-Type')?.startsWith('application/problem+json')) return undefined;
  return (await response.clone().json()) as Problem;
}

export async function errorOf(response: Response): Promise<HttpError> {
  const problem = await problemOf(response);
  if (problem !== undefined) return new ProblemError(problem, response);
  return new HttpError(`${response.status} ${response.statusText}`, response);
}
