// Calls the manager's API, typed by its contract.
import createClient from 'openapi-fetch';
import type { components, paths } from '../../../../generated/local-manager.d.ts';
import { isProblem, ProblemError, SilenceError } from './problem.ts';

export type Schemas = components['schemas'];

export const api = createClient<paths>({ baseUrl: window.location.origin, credentials: 'same-origin' });

interface ApiResult<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body and headers of a response; throws the error of an unsuccessful one. */
export async function resultOf<T>(sent: Promise<ApiResult<T>>): Promise<{ body: T; headers: Headers }> {
  const { data, error, response } = await sent.catch((cause: unknown) => {
    throw new SilenceError('The manager does not respond. Is its window still open?', { cause });
  });
  if (isProblem(error)) throw new ProblemError(error);
  if (!response.ok || data === undefined) {
    throw new SilenceError(`The manager returned status ${response.status} without a reason.`);
  }
  return { body: data, headers: response.headers };
}

export async function bodyOf<T>(sent: Promise<ApiResult<T>>): Promise<T> {
  return (await resultOf(sent)).body;
}
