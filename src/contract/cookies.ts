// Cookies: reads them from requests, sets them, and refuses requests that a page of another origin has sent.
import { parse } from 'cookie';
import type { Request, Response } from 'express';
import { DomainError } from '../errors.ts';
import type { Cookie } from './replies.ts';

/** Puts the cookies where the validator looks for them. */
export function readCookies(request: Request): void {
  request.cookies = { ...parse(request.headers.cookie ?? '') };
}

export function setCookie(request: Request, response: Response, cookie: Cookie): void {
  const { name, value, path, maxAgeSeconds } = cookie;
  response.cookie(name, value ?? '', {
    httpOnly: true,
    sameSite: 'strict',
    secure: request.secure,
    path,
    maxAge: value === null ? 0 : maxAgeSeconds * 1000,
  });
}

/**
 * Browsers say where a request comes from: `Sec-Fetch-Site` over HTTPS and on localhost, `Origin` elsewhere. A request
 * with neither comes from a program, which has no cookies of anybody else.
 */
export function refuseOtherOrigins({ headers, host }: Request): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isSame =
    site === undefined ? origin === undefined || hostOf(origin) === host : site === 'same-origin';
  if (!isSame) throw new DomainError('cross_origin', 'A page of another origin has sent this request.');
}

function hostOf(origin: string): string | undefined {
  return URL.parse(origin)?.host;
}
