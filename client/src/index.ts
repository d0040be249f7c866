// A typed client of the platform's API: openapi-fetch over the types that the contract generates.
import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import type { components, paths } from '../../generated/platform.d.ts';

export type Problem = components['schemas']['Problem'];
export type GantryClient = Client<paths>;

/** The platform refused a request; decide on `problem.code`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.problem = problem;
  }
}

export interface ClientOptions {
  baseUrl: string;
  /** The access token to send, asked for before every request. */
  token?: () => string | undefined;
}

/** A client whose calls throw ProblemError unless they succeed. */
export function createClient({ baseUrl, token }: ClientOptions): GantryClient {
  const client = createFetchClient<paths>({ baseUrl });
  const middleware: Middleware = {
    onRequest({ request }) {
      const bearer = token?.();
      if (bearer !== undefined) request.headers.set('Authorization', `Bearer ${bearer}`);
    },
    async onResponse({ response }) {
      if (!response.ok) throw new ProblemError((await response.clone().json()) as Problem);
    },
  };
  client.use(middleware);
  return client;
}
