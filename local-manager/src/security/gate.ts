// Checks first whether a request comes from the manager's own page or a local program, and has the token.
import type { IncomingMessage } from 'node:http';
import { parse } from 'cookie';
import { refusal, type Refusal } from '../refusals.ts';
import { isSame, random, sessionSeconds, type BrowserSession } from './browser-session.ts';

export const tokenHeader = 'x-manager-token';

const hosts = ['localhost', '127.0.0.1', '[::1]'];
const harmless = ['GET', 'HEAD', 'OPTIONS'];

type Headers = IncomingMessage['headers'];

export class Gate {
  /** The token of this start of the manager. */
  readonly token: string;
  /** Its value is separate from the token: a leaked cookie gives programs no access. */
  readonly #session: BrowserSession;
  #port = 0;

  constructor(session: BrowserSession) {
    this.token = random();
    this.#session = session;
  }

  /** Set once the server listens. */
  set port(port: number) {
    this.#port = port;
  }

  /** The address of the manager. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /**
   * Why the origin of a request is refused. DNS rebinding shows in `Host`; cross-site requests show in `Origin` and in
   * `Sec-Fetch-Site`.
   */
  refusalOf({ method = 'GET', headers }: Pick<IncomingMessage, 'method' | 'headers'>): Refusal | undefined {
    const own = this.#own;
    if (!this.#isAddressed(headers))
      return refusal('origin_refused', 'The request is not addressed to this machine’s own name.');
    if (headers.origin !== undefined && !own.some((name) => headers.origin === `http://${name}`))
      return refusal('origin_refused', 'The request comes from another page.');
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      return refusal('origin_refused', 'The request comes from another page.');
    const type = headers['content-type'];
    if (!harmless.includes(method) && type !== undefined && !/^application\/json\s*(;|$)/i.test(type))
      return refusal('unsupported_media_type', 'The body must be application/json.');
    return undefined;
  }

  /** Whether a user followed a link of another site: a top-level navigation, whose response that site cannot read. */
  isFollowedLink({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
    return (
      method === 'GET' &&
      headers['sec-fetch-mode'] === 'navigate' &&
      headers['sec-fetch-dest'] === 'document' &&
      this.#isAddressed(headers)
    );
  }

  /** Whether the request has the token in the header, or the session in the cookie. */
  knows({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
    return this.isToken(headerToken(headers)) || this.isSession(parse(headers.cookie ?? '')[this.cookieName]);
  }

  get #own(): string[] {
    return hosts.map((host) => `${host}:${this.#port}`);
  }

  #isAddressed(headers: Headers): boolean {
    const host = headers.host?.toLowerCase() ?? '';
    return this.#own.includes(host) || (this.#port === 80 && hosts.includes(host));
  }

  isToken(candidate: string | undefined): boolean {
    return isSame(candidate, this.token);
  }

  isSession(candidate: string | undefined): boolean {
    return this.#session.matches(candidate);
  }

  /** All ports of a machine share cookies; the port in the name keeps managers from overwriting each other's. */
  get cookieName(): string {
    return `gantry_manager_${this.#port}`;
  }

  /** Renews the session. Set-Cookie value: sent only to this site's own requests, and not readable by scripts. */
  async openSession(): Promise<string> {
    await this.#session.renew();
    return `${this.cookieName}=${this.#session.value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${sessionSeconds}`;
  }
}

function headerToken(headers: Headers): string | undefined {
  const value = headers[tokenHeader];
  return typeof value === 'string' ? value : undefined;
}
