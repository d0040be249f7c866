// The tokens of whoever is signed in: kept, and renewed once however many calls find them expired.
import type { components } from '../../generated/platform.d.ts';
import { discard, hasRepeatableBody, type Send } from './retries.ts';

type Schemas = components['schemas'];

export interface Tokens {
  access_token: string;
  refresh_token: string;
  /** When the access token expires by this machine's clock, in milliseconds of Unix time. */
  expires_at?: number;
}

/** Where tokens are kept; memory unless you give another place. */
export interface TokenStore {
  read(): Tokens | undefined | Promise<Tokens | undefined>;
  /** Called with `undefined` when the session has ended. */
  write(tokens: Tokens | undefined): void | Promise<void>;
  /**
   * A name for these tokens, where tabs or workers share them: those that give the same name take turns to renew them,
   * where the Web Locks API is there.
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

/** The platform could not renew a session just now. */
class RenewalFailed extends Error {
  readonly #body: string;
  readonly #init: ResponseInit;

  constructor(body: string, { status, headers }: Response) {
    super(`the session could not be renewed: ${status}`);
    this.#body = body;
    this.#init = { status, headers };
  }

  /** What the platform said, for each of the callers anew. */
  toResponse(): Response {
    return new Response(this.#body, this.#init);
  }
}

export class Session {
  readonly #baseUrl: string;
  readonly #store: TokenStore;
  readonly #send: Send;
  #renewal: { refused: string; token: Promise<string | undefined> } | undefined;
  /** What changes the stored tokens runs one after another: an answer on its way must not undo a newer change. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor({ baseUrl, store, send }: SessionOptions) {
    this.#baseUrl = baseUrl;
    this.#store = store;
    this.#send = send;
  }

  /**
   * Uses these tokens from now on: those of a sign-in, or of a switch to another license, which keeps the refresh token.
   * Waits for a renewal that is under way, 15 seconds at most.
   */
  async start(session: Schemas['Session'] | Schemas['SwitchedSession']): Promise<void> {
    await this.#inTurn(async () => {
      if ('refresh_token' in session) return this.#store.write(tokensOf(session));
      const tokens = await this.#store.read();
      if (tokens === undefined)
        throw new Error('a switch to another license continues a session; there is none');
      return this.#store.write(tokensOf({ ...session, refresh_token: tokens.refresh_token }));
    });
  }

  /** Forgets the tokens, after a renewal that is under way; `POST /auth/logout` ends the session at the platform. */
  async end(): Promise<void> {
    await this.#inTurn(() => this.#store.write(undefined));
  }

  /** The access token to send; one that is about to expire is renewed first. */
  async accessToken(signal: AbortSignal): Promise<string | undefined> {
    const tokens = await this.#store.read();
    if (tokens?.expires_at === undefined || tokens.expires_at - Date.now() > renewAheadMs)
      return tokens?.access_token;
    // The platform decides what has expired: should it not be reached now, the call itself will tell.
    return this.renew(tokens.access_token, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return tokens.access_token;
    });
  }

  /**
   * A newer access token than the one that was refused; undefined when there is none to be had, because the session has
   * ended. Rejects when the platform can't be asked, and when the caller gives up, who is the only one then.
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
    const response = await this.#send(
      new Request(`${this.#baseUrl}/auth/refresh`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ refresh_token: tokens.refresh_token }),
        signal: AbortSignal.timeout(renewalTimeoutMs),
      }),
    );
    if (!response.ok && response.status !== 401) throw new RenewalFailed(await response.text(), response);
    const renewed = response.ok ? tokensOf((await response.json()) as never) : undefined;
    if (renewed === undefined) discard(response);
    // A tab that shares the tokens without a lock may have changed them meanwhile: by a sign-in, which has newer ones…
    const now = await this.#store.read();
    if (now?.refresh_token !== tokens.refresh_token) return now?.access_token;
    // …or by a switch of the license, which keeps its access token; the refresh token that was sent is used up.
    const isSwitched = renewed !== undefined && now.access_token !== tokens.access_token;
    const next = isSwitched ? { ...now, refresh_token: renewed.refresh_token } : renewed;
    await this.#store.write(next);
    return next?.access_token;
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
    const token = await session.renew(refused, request.signal).catch((error: unknown) => {
      discard(response);
      if (error instanceof RenewalFailed) return error.toResponse();
      throw error;
    });
    if (token instanceof Response) return token;
    if (token === undefined || !isRepeatable) return response;
    discard(response);
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

function tokensOf({
  access_token,
  refresh_token,
  expires_in,
}: Pick<Schemas['Session'], 'access_token' | 'refresh_token' | 'expires_in'>): Tokens {
  return { access_token, refresh_token, expires_at: Date.now() + expires_in * 1000 };
}

/** The promise's result, unless the signal comes first. */
async function whileWanted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason as Error);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([promise, givenUp]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
