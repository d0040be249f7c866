// The session of this browser: the access token in memory, one renewal for all tabs, and what became of the session.
import { errorOf } from '@gantry/client';
import { noteServerTime } from '@gantry/ui/server-clock.ts';
import { publicOperations } from '../../../generated/platform.operations.ts';
import { isFresh, tokenOf, type AccessToken, type TokenReply } from './access-token.ts';
import { removeDraftsOf } from './drafts.ts';

/**
 * `ended`: the platform no longer knows the session, and the page waits for the user to sign in again.
 * `moved`: the session works in another license, or another user has signed in, by another tab.
 * In both, requests wait: they are of a user in a license, and must not be sent as another one.
 * `unreachable`: the platform could not be asked whether there is a session.
 */
export type Phase = 'starting' | 'signed-out' | 'signed-in' | 'ended' | 'moved' | 'unreachable';

type Identity = Pick<AccessToken, 'userId' | 'licenseId'>;

type Message = { kind: 'ask' } | { kind: 'signed-out' } | { kind: 'token'; token: AccessToken };

/** How long a new tab waits for the token of another tab before it asks the platform. */
const askMs = 60;
const requestTimeoutMs = 20_000;

export class BrowserSession {
  #phase: Phase = 'starting';
  #token: AccessToken | undefined;
  /** Whose token it is or was: a page shows the data of one user in one license. */
  #identity: Identity | undefined;
  /** That of the other tab, while this page is moved. */
  #foreign: AccessToken | undefined;
  #renewal: Promise<AccessToken | undefined> | undefined;
  #listeners = new Set<() => void>();
  #waiting: (() => void)[] = [];
  #channel = new BroadcastChannel('gantry-session');

  constructor() {
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#hear(data));
  }

  get phase(): Phase {
    return this.#phase;
  }

  get licenseId(): string | null {
    return this.#identity?.licenseId ?? null;
  }

  /** Null before the first sign-in and after signing out. */
  get userId(): string | null {
    return this.#identity?.userId ?? null;
  }

  /** Hears nothing of other tabs from now on. */
  close(): void {
    this.#channel.close();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes the token of another tab, or asks the platform for one with the session's cookie. */
  async start(): Promise<void> {
    this.#channel.postMessage({ kind: 'ask' } satisfies Message);
    await new Promise((resolve) => setTimeout(resolve, askMs));
    if (this.#token !== undefined) return;
    try {
      await this.#renew(undefined);
    } catch {
      this.#enter('unreachable');
    }
  }

  /** Exchanges the refresh token of a sign-in for the session's cookie; no script holds it from then on. */
  async adopt(signedIn: { refresh_token: string }): Promise<void> {
    const response = await request('/auth/browser-session', 'POST', {
      refresh_token: signedIn.refresh_token,
    });
    if (!response.ok) throw await errorOf(response);
    this.#take(tokenOf((await response.json()) as TokenReply));
  }

  /** Continues in another license; tabs that work in the former one offer to follow. */
  switchTo(reply: TokenReply): void {
    this.#identity = undefined;
    this.#take(tokenOf(reply));
  }

  /** Whether another tab of the same user works in another license. */
  get canMoveBack(): boolean {
    return this.#foreign?.userId === this.#identity?.userId && this.licenseId !== null;
  }

  /** Returns the session to the license of this page; tabs in the other one are moved then. */
  async moveBack(): Promise<void> {
    if (this.#foreign === undefined) return;
    const body = { license_id: this.licenseId };
    const response = await request('/auth/switch-license', 'POST', body, this.#foreign.value);
    if (!response.ok) throw await errorOf(response);
    this.#take(tokenOf((await response.json()) as TokenReply));
  }

  async signOut(): Promise<void> {
    const response = await request('/auth/browser-session', 'DELETE');
    if (!response.ok && response.status !== 401) throw await errorOf(response);
    this.#forget();
    this.#channel.postMessage({ kind: 'signed-out' } satisfies Message);
  }

  /**
   * Sends a request with a valid token. A request that finds the session ended waits until it continues. Another
   * transport than fetch is for what fetch cannot do, such as reporting the progress of an upload.
   */
  send = async (
    unsent: Request,
    transport: (request: Request) => Promise<Response> = fetch,
  ): Promise<Response> => {
    if (isPublic(unsent) || this.#phase === 'signed-out') return transport(unsent);
    const token = await this.#current(unsent.signal);
    const spare = unsent.clone();
    const response = await transport(withToken(unsent, token));
    noteServerTime(response.headers.get('Date'));
    if (response.status !== 401) return response;
    const renewed = await this.#renew(token?.value).catch(() => undefined);
    if (renewed === undefined && !this.#isWaiting) return response;
    void response.body?.cancel();
    return transport(withToken(spare, renewed ?? (await this.#current(spare.signal))));
  };

  /** A valid token for a page outside the panel; undefined if there is none now. */
  async tokenForPage(): Promise<string | undefined> {
    if (this.#token === undefined || isFresh(this.#token)) return this.#token?.value;
    return (await this.#renew(this.#token.value).catch(() => undefined))?.value;
  }

  /** A token to send a request with; another address of the platform, such as a WebSocket's, may need it too. */
  async #current(signal: AbortSignal): Promise<AccessToken | undefined> {
    while (this.#isWaiting) await this.#signedInAgain(signal);
    if (this.#token === undefined || isFresh(this.#token)) return this.#token;
    // If the renewal fails for another reason than the session's end, the request itself shows it.
    const renewed = await this.#renew(this.#token.value).catch(() => this.#token);
    return this.#isWaiting ? this.#current(signal) : renewed;
  }

  /** Until the user has signed in again, or the session is back in the license of this page. */
  get #isWaiting(): boolean {
    return this.#phase === 'ended' || this.#phase === 'moved';
  }

  async #signedInAgain(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push(resolve);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  }

  #renew(refused: string | undefined): Promise<AccessToken | undefined> {
    this.#renewal ??= inTurn(async () => {
      // Another tab has renewed it while this one waited.
      if (this.#token !== undefined && this.#token.value !== refused) return this.#token;
      const response = await request('/auth/browser-session/refresh', 'POST');
      if (response.ok) {
        const token = tokenOf((await response.json()) as TokenReply);
        this.#take(token);
        return this.#token === token ? token : undefined;
      }
      if (response.status !== 401) throw new Error(`the session could not be renewed: ${response.status}`);
      this.#token = undefined;
      this.#enter(this.#phase === 'starting' || this.#phase === 'unreachable' ? 'signed-out' : 'ended');
      return undefined;
    }).finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  #take(token: AccessToken): void {
    this.#channel.postMessage({ kind: 'token', token } satisfies Message);
    this.#use(token);
  }

  #use(token: AccessToken): void {
    this.#identity ??= { userId: token.userId, licenseId: token.licenseId };
    if (!isOf(this.#identity, token)) {
      this.#foreign = token;
      return this.#enter('moved');
    }
    this.#foreign = undefined;
    this.#token = token;
    this.#enter('signed-in');
  }

  #hear(message: Message): void {
    switch (message.kind) {
      case 'ask':
        if (this.#phase === 'signed-in' && this.#token !== undefined && isFresh(this.#token))
          this.#channel.postMessage({ kind: 'token', token: this.#token } satisfies Message);
        return;
      case 'signed-out':
        if (this.#phase === 'signed-in' || this.#phase === 'ended') {
          this.#forget();
          this.#enter('signed-out');
        }
        return;
      case 'token':
        return this.#use(message.token);
    }
  }

  #forget(): void {
    if (this.#identity !== undefined) removeDraftsOf(this.#identity.userId);
    this.#token = undefined;
    this.#identity = undefined;
  }

  #enter(phase: Phase): void {
    if (phase === 'signed-in') for (const resume of this.#waiting.splice(0)) resume();
    if (this.#phase === phase) return;
    this.#phase = phase;
    for (const listener of this.#listeners) listener();
  }
}

const isOf = (identity: Identity, token: AccessToken): boolean =>
  identity.userId === token.userId && identity.licenseId === token.licenseId;

/** Signing in is one of them, and must not wait for itself. */
const isPublic = ({ method, url }: Request): boolean =>
  publicOperations.has(`${method} ${new URL(url).pathname}`);

function withToken(unsent: Request, token: AccessToken | undefined): Request {
  if (token !== undefined) unsent.headers.set('Authorization', `Bearer ${token.value}`);
  return unsent;
}

function request(path: string, method: string, body?: object, token?: string): Promise<Response> {
  return fetch(path, {
    method,
    credentials: 'same-origin',
    signal: AbortSignal.timeout(requestTimeoutMs),
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** Lets one tab at a time renew the session, where the browser has locks: it has none on pages over plain HTTP. */
async function inTurn(work: () => Promise<AccessToken | undefined>): Promise<AccessToken | undefined> {
  const { locks } = navigator as { locks?: LockManager };
  return locks === undefined ? work() : await locks.request('gantry-session', work);
}
