// Exit codes of the program, and the errors that lead to them.
import { HttpError, ProblemError } from '../../client/src/errors.ts';

export const exitCodes = {
  success: 0,
  /** A defect of this program. */
  internal: 1,
  /** Unknown operation or option, invalid value, missing setting. */
  usage: 2,
  /** The platform refused the request: every 4xx without a code of its own below. */
  refused: 3,
  /** 401 or 403. */
  forbidden: 4,
  notFound: 5,
  /** 429, or 5xx, after all retries. */
  unavailable: 6,
  /** No response: wrong address, no network, timeout. */
  unreachable: 7,
  /** With --wait: the command failed, expired or was cancelled. */
  unsuccessful: 8,
  /** With --wait: the time ran out first. */
  waitTimeout: 9,
} as const;

/** An error whose message is written for the user of the program. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.usage, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof HttpError) return exitCodeOfStatus(error.response.status);
  return isNetworkError(error) ? exitCodes.unreachable : exitCodes.internal;
}

function exitCodeOfStatus(status: number): number {
  if (status === 401 || status === 403) return exitCodes.forbidden;
  if (status === 404) return exitCodes.notFound;
  if (status === 429 || status >= 500) return exitCodes.unavailable;
  return exitCodes.refused;
}

/** Fetch reports a lost network as a TypeError with a cause, and a timeout as a DOMException. */
export function isNetworkError(error: unknown): error is Error {
  if (error instanceof DOMException) return error.name === 'TimeoutError';
  return error instanceof TypeError && error.cause !== undefined;
}

/** Lines for people; the problem's code comes first, because programs and documentation name it. */
export function linesOf(error: unknown): string[] {
  if (error instanceof ProblemError) {
    const { title, code, status, detail, errors = [], request_id: requestId } = error.problem;
    return [
      `${title} (${code}, ${status})`,
      // The detail of a refused request is its first fault.
      ...(errors.length === 0 ? [`  ${detail}`] : []),
      ...errors.map(({ pointer, detail: reason }) => `  ${pointer}: ${reason}`),
      ...remedyOf(code),
      `  Request ${requestId}`,
    ];
  }
  if (error instanceof HttpError)
    return [`The server responded ${error.message}, which is not a response of the platform.`];
  if (isNetworkError(error)) return [`The platform could not be reached: ${reasonsOf(error).join(': ')}`];
  return [error instanceof Error ? error.message : String(error)];
}

function remedyOf(code: string): string[] {
  if (code === 'unauthorized') return ['  Check the key of the profile with `gantry profile show`.'];
  if (code === 'step_up_required')
    return ['  Confirm your identity with `gantry step-up`, and run the command again.'];
  return [];
}

/** Messages of the error and its causes, innermost last. */
function reasonsOf(error: Error): string[] {
  const { cause } = error;
  const own = error.message === 'fetch failed' ? [] : [error.message];
  if (cause instanceof AggregateError) return [...own, ...cause.errors.map(String).slice(0, 1)];
  return cause instanceof Error ? [...own, ...reasonsOf(cause)] : own;
}
