// The tokens of whoever is signed in: kept, and renewed once however many calls find them expired.
import type { components } from '../../generated/platform.d.ts';
import { errorOf } from './errors.ts';
import { hasRepeatableBody, type Send } from './retries.ts';

/** What signing in answers; only the two tokens are needed. */
export type Tokens = Pick<components['schemas']['Session'], 'access_token' | 'refresh_token'>;

/** Where tokens are kept; memory unless you give another place. */
export interface TokenStore {
  read(): Tokens | undefined | Promise<Tokens | undefined>;
  /** Called with `undefined` when the session has ended. */
  write(tokens: Tokens | undefined): void | Promise<void>;
}

/** What the Web Locks API has: a refresh token shared by tabs or workers must not be used by two at once. */
interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export interface SessionOptions {
  baseUrl: string;
  store: TokenStore;
  send: Send;
}

export class Session {
  readonly #baseUrl: string;
  readonly #store: TokenStore;
  readonly #send: Send;
  #renewal: Promise<string | undefined> | undefined;

  constructor({ baseUrl, store, send }: SessionOptions) {
    this.#baseUrl = baseUrl;
    this.#store = store;
    this.#send = send;
  }

  /** Uses these tokens from now on: those of a sign-in, or of a switch to another license. */
  async start(tokens: Tokens): Promise<void> {
    await this.#store.write(tokens);
  }

  /** Forgets the tokens; the platform is told by `POST /auth/logout`. */
  async end(): Promise<void> {
    await this.#store.write(undefined);
  }

  async accessToken(): Promise<string | undefined> {
    return (await this.#store.read())?.access_token;
  }

  /**
   * A newer access token than the one that was refused; undefined when there is none to be had, because the session has
   * ended. Rejects when the platform can't be asked.
   */
  async renew(refused: string): Promise<string | undefined> {
    this.#renewal ??= alone(`gantry session at ${this.#baseUrl}`, () => this.#renew(refused)).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(refused: string): Promise<string | undefined> {
    const tokens = await this.#store.read();
    if (tokens === undefined || tokens.access_token !== refused) return tokens?.access_token;
    const response = await this.#send(
      new Request(`${this.#baseUrl}/auth/refresh`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ refresh_token: tokens.refresh_token }),
      }),
    );
    if (!response.ok && response.status !== 401) throw await errorOf(response);
    const renewed = response.ok ? ((await response.json()) as Tokens) : undefined;
    // Whoever has signed in meanwhile has newer tokens still.
    const now = await this.#store.read();
    if (now?.refresh_token !== tokens.refresh_token) return now?.access_token;
    await this.#store.write(renewed);
    return renewed?.access_token;
  }
}

/** Sends a request again, once, with a newer token when the one it has is refused. */
export function renewing(send: Send, session: Session): Send {
  return async (request) => {
    const refused = /^Bearer (.+)$/.exec(request.headers.get('Authorization') ?? '')?.[1];
    if (refused === undefined) return send(request);
    const isRepeatable = hasRepeatableBody(request);
    const response = await send(isRepeatable ? request.clone() : request);
    if (response.status !== 401) return response;
    const token = await session.renew(refused);
    if (token === undefined || !isRepeatable) return response;
    request.headers.set('Authorization', `Bearer ${token}`);
    return send(request);
  };
}

export function inMemory(): TokenStore {
  let tokens: Tokens | undefined;
  return {
    read: () => tokens,
    write: (next) => {
      tokens = next;
    },
  };
}

async function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  const { navigator } = globalThis as { navigator?: { locks?: Locks } };
  return navigator?.locks === undefined ? work() : navigator.locks.request(name, work);
}
