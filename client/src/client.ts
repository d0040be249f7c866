// A typed client of the platform's API: requests typed by the contract, with sessions, retries and typed errors.
import type { paths } from '../../generated/platform.published.d.ts';
import { idempotentOperations, publicOperations } from '../../generated/platform.operations.ts';
import {
  dataOf,
  requestOf,
  type Arguments,
  type Data,
  type Init,
  type Method,
  type ParseAs,
  type PathWith,
} from '../../shared/typed-fetch.ts';
import { errorOf } from './errors.ts';
import { streamEvents, type EventStreamOptions, type StreamedEvent } from './events.ts';
import { entriesOf, type Entry, type ListInit, type ListPath } from './pages.ts';
import { retrying, type RetryOptions, type Send, type SendInit } from './retries.ts';
import { inMemory, renewing, Session, type TokenStore } from './session.ts';

export interface ClientOptions {
  /** The platform's URL, for example `https://panel.example.com`. */
  baseUrl: string;
  /** The API key of a license, or the key of a hosting company; without one, `session.start` sets the signed-in user. */
  apiKey?: string;
  /** The license key that a game server's plugin reports events with; no other operation accepts it. */
  licenseKey?: string;
  /** Where the session's tokens are stored; in memory unless given. */
  tokens?: TokenStore;
  /** By default, 3 retries with backoff from 250 ms, and up to 30 s of `Retry-After`. */
  retry?: Partial<RetryOptions>;
  /** Sends one request; the global fetch unless given. */
  fetch?: Send;
}

type Call<M extends Method> = <Path extends PathWith<paths, M>, Given extends Init<paths, Path, M>>(
  path: Path,
  ...init: Arguments<Given>
) => Promise<{ data: Data<paths, Path, M, Given>; response: Response }>;

/** Calls return `{ data, response }` on success, and throw ProblemError or HttpError otherwise. */
export interface GantryClient {
  GET: Call<'get'>;
  PUT: Call<'put'>;
  POST: Call<'post'>;
  PATCH: Call<'patch'>;
  DELETE: Call<'delete'>;
  /** Every entry of a list; pages are fetched on demand. */
  each<Path extends ListPath>(
    path: Path,
    ...init: Arguments<ListInit<Path>>
  ): AsyncGenerator<Entry<Path>, void, undefined>;
  /** Events as they happen; continues where a lost connection was cut. */
  events(options?: EventStreamOptions): AsyncGenerator<StreamedEvent, void, undefined>;
  readonly session: Session;
}

/** An init whose types the caller has been held to. */
interface AnyInit {
  params?: { path?: object; query?: Record<string, unknown>; header?: object };
  body?: unknown;
  parseAs?: ParseAs;
  signal?: AbortSignal;
}

/**
 * Creates a client that renews an expired session once for all concurrent calls, and retries after network failures and
 * temporary refusals: reads, and requests that an `Idempotency-Key` protects from being executed twice. The client sets
 * that key itself.
 */
export function createClient(options: ClientOptions): GantryClient {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const { apiKey, licenseKey } = options;
  const once: Send = options.fetch ?? ((request, init) => fetch(request, init));
  const session = new Session({ baseUrl, store: options.tokens ?? inMemory(), send: once });
  const renewed = renewing(once, session);
  const retried = retrying(renewed, { retries: 3, firstWaitMs: 250, maxWaitMs: 30_000, ...options.retry });

  const authorize = async (request: Request, { signal }: SendInit = request) => {
    if (licenseKey !== undefined) request.headers.set('X-License-Key', licenseKey);
    const token = apiKey ?? (await session.accessToken(signal));
    if (token !== undefined) request.headers.set('Authorization', `Bearer ${token}`);
    return request;
  };

  const call = async (method: string, path: string, init: AnyInit = {}) => {
    const request = requestOf(baseUrl, method, path, init, { redirect: 'manual' });
    const sendInit = init.signal === undefined ? undefined : { signal: init.signal };
    const operation = `${request.method} ${path}`;
    if (idempotentOperations.has(operation) && !request.headers.has('Idempotency-Key'))
      request.headers.set('Idempotency-Key', randomKey());
    if (!publicOperations.has(operation)) await authorize(request, sendInit);
    const response = await retried(request, sendInit);
    if (!response.ok) throw await errorOf(response);
    return { data: await dataOf(response, init.parseAs), response };
  };
  const calling = <M extends Method>(method: M) =>
    ((path: string, init?: AnyInit) => call(method, path, init)) as unknown as Call<M>;

  return {
    GET: calling('get'),
    PUT: calling('put'),
    POST: calling('post'),
    PATCH: calling('patch'),
    DELETE: calling('delete'),
    each: <Path extends ListPath>(path: Path, ...[init]: Arguments<ListInit<Path>>) => {
      const { params, ...rest } = (init ?? {}) as AnyInit;
      const read = async (query: Record<string, unknown>) =>
        (await call('get', path, { ...rest, params: { ...params, query } })).data;
      return entriesOf<Path>(read, params?.query);
    },
    events: (stream = {}) =>
      streamEvents(async (request, init) => renewed(await authorize(request, init), init), baseUrl, stream),
    session,
  };
}

/** Does not use crypto.randomUUID, which is missing in pages over plain HTTP. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
