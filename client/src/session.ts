// The tokens of a signed-in user: stored, and renewed once for all calls that find them expired.
import type { components } from '../../generated/platform.published.d.ts';
import { discard, hasRepeatableBody, whileWanted, type Send } from './retries.ts';

type Schemas = components['schemas'];

export interface Tokens {
  access_token: string;
  refresh_token: string;
  /** When the access token expires by this machine's clock, in milliseconds of Unix time. */
  expires_at?: number;
}

/** Stores the tokens. */
export interface TokenStore {
  read(): Tokens | undefined | Promise<Tokens | undefined>;
  /** Called with `undefined` when the session has ended. */
  write(tokens: Tokens | undefined): void | Promise<void>;
  /**
   * A lock name for tokens that tabs or workers share: those with the same name renew them one at a time, if the Web
   * Locks API is available.
   */
  lock?: string;
}

interface Locks {
  request<T>(name: string, options: { signal: AbortSignal }, work: () => Promise<T>): Promise<T>;
}

export interface SessionOptions {
  baseUrl: string;
  store: TokenStore;
  send: Send;
}

const renewalTimeoutMs = 15_000;
const renewAheadMs = 30_000;

/** The platform could not renew the session; a later attempt may succeed. */
class RenewalFailed extends Error {
  readonly #body: string;
  readonly #init: ResponseInit;

  constructor(body: string, { status, headers }: Response) {
    super(`the session could not be renewed: ${status}`);
    this.#body = body;
    this.#init = { status, headers };
  }

  /** A new Response with the platform's reply for each caller. */
  toResponse(): Response {
    return new Response(this.#body, this.#init);
  }
}

export class Session {
  readonly #baseUrl: string;
  readonly #store: TokenStore;
  readonly #send: Send;
  #renewal: { refused: string; token: Promise<string | undefined> } | undefined;
  /** Changes of the stored tokens run one after another: a late response must not overwrite a newer change. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor({ baseUrl, store, send }: SessionOptions) {
    this.#baseUrl = baseUrl;
    this.#store = store;
    this.#send = send;
  }

  /**
   * Uses these tokens from now on: those of a sign-in, or of a switch to another license, which keeps the refresh
   * token. Waits for a running renewal, at most 15 seconds.
   */
  async start(session: Schemas['Session'] | Schemas['LicenseSwitchResult']): Promise<void> {
    await this.#inTurn(async () => {
      if ('refresh_token' in session) return this.#store.write(tokensOf(session));
      const tokens = await this.#store.read();
      if (tokens === undefined)
        throw new Error('a switch to another license continues a session; there is none');
      return this.#store.write(tokensOf({ ...session, refresh_token: tokens.refresh_token }));
    });
  }

  /** Deletes the tokens, after a running renewal; `POST /auth/logout` ends the session at the platform. */
  async end(): Promise<void> {
    await this.#inTurn(() => this.#store.write(undefined));
  }

  /** The access token to send; renewed first if it is about to expire. */
  async accessToken(signal: AbortSignal): Promise<string | undefined> {
    const tokens = await this.#store.read();
    if (tokens?.expires_at === undefined || tokens.expires_at - Date.now() > renewAheadMs)
      return tokens?.access_token;
    // The platform decides what has expired: if the renewal fails, the call itself shows it.
    return this.renew(tokens.access_token, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return tokens.access_token;
    });
  }

  /**
   * A newer access token than the refused one; undefined if the session has ended. Rejects if the platform cannot be
   * reached, or if this caller aborts; other callers continue to wait.
   */
  async renew(refused: string, signal: AbortSignal): Promise<string | undefined> {
    while (this.#renewal !== undefined && this.#renewal.refused !== refused)
      await whileWanted(this.#renewal.token, signal).catch((error: unknown) => {
        if (signal.aborted) throw error;
      });
    this.#renewal ??= {
      refused,
      token: this.#inTurn(() => this.#renew(refused)).finally(() => (this.#renewal = undefined)),
    };
    return whileWanted(this.#renewal.token, signal);
  }

  #inTurn<T>(change: () => T | Promise<T>): Promise<T> {
    const changed = this.#lastChange.then(() => this.#locked(change));
    this.#lastChange = changed.catch(() => undefined);
    return changed;
  }

  async #locked<T>(change: () => T | Promise<T>): Promise<T> {
    const { lock } = this.#store;
    const { locks } = (globalThis as { navigator?: { locks?: Locks } }).navigator ?? {};
    if (lock === undefined || locks === undefined) return change();
    const signal = AbortSignal.timeout(2 * renewalTimeoutMs);
    return locks.request(lock, { signal }, async () => change());
  }

  async #renew(refused: string): Promise<string | undefined> {
    const tokens = await this.#store.read();
    if (tokens === undefined || tokens.access_token !== refused) return tokens?.access_token;
    const signal = AbortSignal.timeout(renewalTimeoutMs);
    const response = await this.#send(
      new Request(`${this.#baseUrl}/auth/refresh`, {
        redirect: 'manual',
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ refresh_token: tokens.refresh_token }),
        signal,
      }),
      { signal },
    );
    if (!response.ok && response.status !== 401) throw new RenewalFailed(await response.text(), response);
    const renewed = response.ok ? tokensOf((await response.json()) as never) : undefined;
    if (renewed === undefined) discard(response);
    // A tab that shares the tokens without a lock may have changed them meanwhile: by a sign-in, which stores newer
    // ones…
    const now = await this.#store.read();
    if (now?.refresh_token !== tokens.refresh_token) return now?.access_token;
    // …or by a switch of the license, whose access token is kept; the refresh token that was sent is used up.
    const isSwitched = renewed !== undefined && now.access_token !== tokens.access_token;
    const next = isSwitched ? { ...now, refresh_token: renewed.refresh_token } : renewed;
    await this.#store.write(next);
    return next?.access_token;
  }
}

/** Retries a request once, with a newer token, if its token is refused. */
export function renewing(send: Send, session: Session): Send {
  return async (request, init) => {
    const refused = /^Bearer (.+)$/.exec(request.headers.get('Authorization') ?? '')?.[1];
    if (refused === undefined) return send(request, init);
    const isRepeatable = hasRepeatableBody(request);
    const response = await send(isRepeatable ? request.clone() : request, init);
    if (response.status !== 401) return response;
    const token = await session.renew(refused, (init ?? request).signal).catch((error: unknown) => {
      discard(response);
      if (error instanceof RenewalFailed) return error.toResponse();
      throw error;
    });
    if (token instanceof Response) return token;
    if (token === undefined || !isRepeatable) return response;
    discard(response);
    request.headers.set('Authorization', `Bearer ${token}`);
    return send(request, init);
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

function tokensOf({
  access_token,
  refresh_token,
  expires_in,
}: Pick<Schemas['Session'], 'access_token' | 'refresh_token' | 'expires_in'>): Tokens {
  return { access_token, refresh_token, expires_at: Date.now() + expires_in * 1000 };
}
