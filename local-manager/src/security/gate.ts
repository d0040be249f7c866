// Decides before anything else whether a request comes from this machine's own page or program, and knows its token.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { refusal, type Refusal } from '../refusals.ts';

export const cookieName = 'gantry_manager';
export const tokenHeader = 'x-manager-token';

const hosts = ['localhost', '127.0.0.1', '[::1]'];
const harmless = ['GET', 'HEAD', 'OPTIONS'];

type Headers = IncomingMessage['headers'];

export class Gate {
  /** Of this start of the manager. */
  readonly token: string;
  #port = 0;

  constructor(token = randomBytes(32).toString('base64url')) {
    this.token = token;
  }

  /** Known once it listens. */
  set port(port: number) {
    this.#port = port;
  }

  /**
   * What is wrong with where a request comes from. A page of somebody else's that has its name lead here shows in
   * `Host`; one that sends requests on shows in `Origin` and in `Sec-Fetch-Site`.
   */
  refusalOf({ method = 'GET', headers }: Pick<IncomingMessage, 'method' | 'headers'>): Refusal | undefined {
    const own = hosts.map((host) => `${host}:${this.#port}`);
    const host = headers.host?.toLowerCase() ?? '';
    if (!own.includes(host) && !(this.#port === 80 && hosts.includes(host)))
      return refusal('origin_refused', 'The request is not addressed to this machine’s own name.');
    if (headers.origin !== undefined && !own.some((name) => headers.origin === `http://${name}`))
      return refusal('origin_refused', 'The request comes from another page.');
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      return refusal('origin_refused', 'The request comes from another page.');
    const type = headers['content-type'];
    if (!harmless.includes(method) && type !== undefined && !/^application\/json\s*(;|$)/i.test(type))
      return refusal('unsupported_media_type', 'Bodies are application/json here.');
    return undefined;
  }

  /** Whether the request brings the token, in the header or in the cookie. */
  knows({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
    return this.isToken(headerToken(headers)) || this.isToken(cookieToken(headers));
  }

  isToken(candidate: string | undefined): boolean {
    return candidate !== undefined && timingSafeEqual(hashOf(candidate), hashOf(this.token));
  }

  /** What has a browser send it from now on, from this page only, and no script read it. */
  get cookie(): string {
    return `${cookieName}=${this.token}; Path=/; HttpOnly; SameSite=Strict`;
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest();

export function headerToken(headers: Headers): string | undefined {
  const value = headers[tokenHeader];
  return typeof value === 'string' ? value : undefined;
}

export function cookieToken({ cookie = '' }: Headers): string | undefined {
  for (const part of cookie.split(';')) {
    const [name, value] = part.trim().split('=', 2);
    if (name === cookieName) return value;
  }
  return undefined;
}
