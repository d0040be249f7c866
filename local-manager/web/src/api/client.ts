// Talks to the manager, typed by its contract.
import createClient from 'openapi-fetch';
import type { components, paths } from '../../../../generated/local-manager.d.ts';
import { isProblem, ProblemError, SilenceError } from './problem.ts';

export type Schemas = components['schemas'];

export const api = createClient<paths>({ baseUrl: window.location.origin, credentials: 'same-origin' });

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of an answer, and its headers; throws what went wrong instead. */
export async function answerOf<T>(sent: Promise<Answer<T>>): Promise<{ body: T; headers: Headers }> {
  const { data, error, response } = await sent.catch((cause: unknown) => {
    throw new SilenceError('The manager does not answer. Is its window still open?', { cause });
  });
  if (isProblem(error)) throw new ProblemError(error);
  if (!response.ok || data === undefined) {
    throw new SilenceError(`The manager has answered with status ${response.status} and no reason.`);
  }
  return { body: data, headers: response.headers };
}

export async function bodyOf<T>(sent: Promise<Answer<T>>): Promise<T> {
  return (await answerOf(sent)).body;
}
