// A typed client of the platform's API: openapi-fetch over the types that the contract generates.
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
  /** Where the platform is, as `https://panel.example.com`. */
  baseUrl: string;
  /** An API key to work with; without one, `session.start` says who signs in. */
  apiKey?: string;
  /** Where the session's tokens are kept: in memory, unless another place is given. */
  tokens?: TokenStore;
  /** 3 retries after 250 ms and more, and up to 30 s of `Retry-After`, unless it says otherwise. */
  retry?: Partial<RetryOptions>;
  /** Sends one request; the global fetch, unless given. */
  fetch?: Send;
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';
type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never;
}[keyof paths];
type Arguments<Init> = object extends Init ? [init?: Init] : [init: Init];
type Success<Answer> = Extract<Answer, { error?: never }>;

type Call<M extends Method> = <Path extends PathWith<M>, Init extends MaybeOptionalInit<paths[Path], M>>(
  path: Path,
  ...init: Arguments<Init>
) => Promise<Success<FetchResponse<Extract<paths[Path][M], object>, Init, `${string}/${string}`>>>;

/** Calls answer `{ data, response }` of a success and throw ProblemError or HttpError for anything else. */
export interface GantryClient {
  GET: Call<'get'>;
  PUT: Call<'put'>;
  POST: Call<'post'>;
  PATCH: Call<'patch'>;
  DELETE: Call<'delete'>;
  /** Every entry of a list, read page by page while they are asked for. */
  each<Path extends ListPath>(
    path: Path,
    ...init: Arguments<ListInit<Path>>
  ): AsyncGenerator<Entry<Path>, void, undefined>;
  readonly session: Session;
}

/**
 * A client that renews an expired session once, for all the calls that find it expired, and sends again what the
 * network lost or the platform could not do just then: reads, and whatever an `Idempotency-Key` keeps from being done
 * twice, which it sets by itself.
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
      longestWaitMs: 30_000,
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

/** One key for each call, however often it is sent. */
const keyed: Middleware = {
  onRequest({ request, schemaPath }) {
    if (
      idempotentOperations.has(`${request.method} ${schemaPath}`) &&
      !request.headers.has('Idempotency-Key')
    )
      request.headers.set('Idempotency-Key', randomKey());
  },
};

/** Made without crypto.randomUUID, which pages over plain HTTP do not have. */
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
