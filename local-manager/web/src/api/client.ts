// Calls the manager's API, typed by its contract.
import type { components, paths } from '../../../../generated/local-manager.d.ts';
import {
  dataOf,
  requestOf,
  type Arguments,
  type Data,
  type Init,
  type Method,
  type ParseAs,
  type PathWith,
} from '../../../../shared/typed-fetch.ts';
import { isProblem, ProblemError, SilenceError } from './problem.ts';

export type Schemas = components['schemas'];

interface ApiResult<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

type Call<M extends Method> = <Path extends PathWith<paths, M>, Given extends Init<paths, Path, M>>(
  path: Path,
  ...init: Arguments<Given>
) => Promise<ApiResult<Data<paths, Path, M, Given>>>;

const calling = <M extends Method>(method: M) =>
  (async (path: string, init: { parseAs?: ParseAs } = {}) => {
    const response = await fetch(
      requestOf(window.location.origin, method, path, init, { credentials: 'same-origin' }),
    );
    if (response.ok) return { data: await dataOf(response, init.parseAs), response };
    const text = await response.text();
    return { error: jsonIn(text), response };
  }) as unknown as Call<M>;

/** A response that was cut, or that a proxy wrote, is not JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const api = {
  GET: calling('get'),
  PUT: calling('put'),
  POST: calling('post'),
  PATCH: calling('patch'),
  DELETE: calling('delete'),
};

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
