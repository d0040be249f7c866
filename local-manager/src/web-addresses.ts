// Web addresses that may contain a login, `https://user:password@host/…`, which `fetch` refuses to take.
import { hiddenMark } from './security/secrets.ts';

export interface WebRequest {
  url: string;
  headers: Record<string, string>;
}

interface WebAddress {
  url: URL;
  user: string;
  password: string;
}

/** Null if it is no address of the web. */
function addressIn(text: string): WebAddress | null {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  try {
    return { url, user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  } catch {
    // A percent sign that encodes nothing.
    return null;
  }
}

/** A request with the login in its header; null if there is no such address. */
export function requestTo(text: string): WebRequest | null {
  const address = addressIn(text);
  if (address === null) return null;
  const { url, user, password } = address;
  if (url.username === '' && url.password === '') return { url: text, headers: {} };
  url.username = '';
  url.password = '';
  const login = Buffer.from(`${user}:${password}`, 'utf8').toString('base64');
  return { url: url.href, headers: { Authorization: `Basic ${login}` } };
}

/** The secret within an address, as it is written there and as it is sent. */
export function passwordsIn(text: string): string[] {
  const address = addressIn(text);
  return address === null ? [] : [address.password, address.url.password];
}

/** For responses. */
export function withoutPassword(text: string): string {
  const address = addressIn(text);
  if (address === null || address.password === '') return text;
  const { protocol, username, host, pathname, search, hash } = address.url;
  return `${protocol}//${username}:${hiddenMark}@${host}${pathname}${search}${hash}`;
}

/** A password that is still hidden is the stored one of the same user at the same host; null if there is none. */
export function withStoredPassword(text: string, stored: string | null): string | null {
  const address = addressIn(text);
  if (address?.password !== hiddenMark) return text;
  const before = stored === null ? null : addressIn(stored);
  if (before?.url.origin !== address.url.origin || before.user !== address.user) return null;
  address.url.password = before.url.password;
  return address.url.href;
}
