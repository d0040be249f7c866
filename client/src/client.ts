// A typed client of the platform's API: openapi-fetch with the types generated from the contract.
import createFetchClient, {
  type Client,
  type FetchResponse,
  type MaybeOptionalInit,
  type Middleware,
} from 'openapi-fetch';
import type { paths } from '../../generated/platform.d.ts';
import { idempotentOperations, publicOperations } from '../../generated/platform.operations.ts';
import { errorOf } from './errors.ts';
import { entriesOf, type Entry, type ListInit, type ListPath } from './pages.ts';
import { retrying, type RetryOptions, type Send } from './retries.ts';
import { inMemory, renewing, Session, type TokenStore } from './session.ts';

export interface ClientOptions {
  /** The platform's URL, for example `https://panel.example.com`. */
  baseUrl: string;
  /** An API key for authentication; without one, `session.start` sets the signed-in user. */
  apiKey?: string;
  /** Where the session's tokens are stored; in memory unless given. */
  tokens?: TokenStore;
  /** By default, 3 retries with backoff from 250 ms, and up to 30 s of `Retry-After`. */
  retry?: Partial<RetryOptions>;
  /** Sends one request; the global fetch unless given. */
  fetch?: Send;
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';
type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never;
}[keyof paths];
type Arguments<Init> = object extends Init ? [init?: Init] : [init: Init];
type Success<ApiResponse> = Extract<ApiResponse, { error?: never }>;

type Call<M extends Method> = <Path extends PathWith<M>, Init extends MaybeOptionalInit<paths[Path], M>>(
  path: Path,
  ...init: Arguments<Init>
) => Promise<Success<FetchResponse<Extract<paths[Path][M], object>, Init, `${string}/${string}`>>>;

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
  readonly session: Session;
}

/**
 * Creates a client that renews an expired session once for all concurrent calls, and retries after network failures and
 * temporary refusals: reads, and requests that an `Idempotency-Key` protects from being executed twice. The client sets
 * that key itself.
 */
export function createClient(options: ClientOptions): GantryClient {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const send: Send = options.fetch ?? ((request) => fetch(request));
  const session = new Session({ baseUrl, store: options.tokens ?? inMemory(), send });
  const client = createFetchClient<paths>({
    baseUrl,
    fetch: retrying(renewing(send, session), {
      retries: 3,
      firstWaitMs: 250,
      maxWaitMs: 30_000,
      ...options.retry,
    }),
  });
  client.use(throwing, keyed, signed(session, options.apiKey));
  return Object.assign(client as Client<paths> & Pick<GantryClient, Uppercase<Method>>, {
    session,
    each: <Path extends ListPath>(path: Path, ...[init]: Arguments<ListInit<Path>>) => {
      const { params, ...rest } = (init ?? {}) as { params?: { query?: Record<string, unknown> } };
      const read = async (query: Record<string, unknown>) => {
        const { data } = await client.request(
          'get',
          path as never,
          { ...rest, params: { ...params, query } } as never,
        );
        return data;
      };
      return entriesOf<Path>(read, params?.query);
    },
  });
}

const throwing: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await errorOf(response);
  },
};

/** One key for each call, the same for all its attempts. */
const keyed: Middleware = {
  onRequest({ request, schemaPath }) {
    if (
      idempotentOperations.has(`${request.method} ${schemaPath}`) &&
      !request.headers.has('Idempotency-Key')
    )
      request.headers.set('Idempotency-Key', randomKey());
  },
};

/** Does not use crypto.randomUUID, which is missing in pages over plain HTTP. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function signed(session: Session, apiKey: string | undefined): Middleware {
  return {
    async onRequest({ request, schemaPath }) {
      if (publicOperations.has(`${request.method} ${schemaPath}`)) return;
      if (apiKey !== undefined) {
        request.headers.set('X-Api-Key', apiKey);
        return;
      }
      const token = await session.accessToken(request.signal);
      if (token !== undefined) request.headers.set('Authorization', `Bearer ${token}`);
    },
  };
}
