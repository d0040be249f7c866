// The errors that a client's calls throw: the platform's problems, and other unsuccessful responses.
import type { components } from '../../generated/platform.published.d.ts';

export type Problem = components['schemas']['Problem'];

/** An unsuccessful response. */
export class HttpError extends Error {
  override readonly name: string = 'HttpError';
  readonly status: number;
  /** Status and headers; the body has already been read. */
  readonly response: Response;
  readonly body: string;

  constructor(message: string, response: Response, body: string) {
    super(message);
    this.status = response.status;
    this.response = response;
    this.body = body;
  }
}

/** The platform refused a request; distinguish cases by `problem.code`. */
export class ProblemError extends HttpError {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem, response: Response, body: string) {
    super(`${problem.code}: ${problem.detail}`, response, body);
    this.problem = problem;
  }
}

/** Reads the response. A proxy's own response, or a truncated one, is not a problem document. */
export async function errorOf(response: Response): Promise<HttpError> {
  const body = await response.text();
  const problem = problemIn(response, body);
  if (problem !== undefined) return new ProblemError(problem, response, body);
  return new HttpError(`${response.status} ${response.statusText}`.trim(), response, body);
}

function problemIn(response: Response, body: string): Problem | undefined {
  if (!response.headers.get('Content-Type')?.startsWith('application/problem+json')) return undefined;
  try {
    return JSON.parse(body) as Problem;
  } catch {
    return undefined;
  }
}
