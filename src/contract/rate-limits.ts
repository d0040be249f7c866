// Counts requests before they are carried out, tells callers what is left, and refuses those beyond the limit.
import type { ServerResponse } from 'node:http';
import { DomainError } from '../errors.ts';
import type { Operation } from './document.ts';

/** What one rule has come to with this request. */
export interface Count {
  /** Of the rule, unique within its class. */
  name: string;
  most: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
  isExceeded: boolean;
  /** Whether only the caller's own requests are in it, so that telling it tells nothing of others. */
  isOwn: boolean;
}

export interface Counted {
  counts: readonly Count[];
  /** Takes back what counts failures only. */
  succeeded(): Promise<void>;
}

/** How often the credentials that came from one source were not valid. */
export interface Failures {
  count: Count;
  /** Counts another. */
  add(): Promise<void>;
}

export interface RateLimits<Principal> {
  /** Asked before credentials are looked at. */
  failuresOf(source: string): Promise<Failures>;
  /** Whether there is such a class. */
  has(name: string): boolean;
  /** Counts what can be counted before anything of the request is read: what is refused then counts, too. */
  admit(
    operation: Pick<Operation, 'rateLimit'>,
    principal: Principal,
    source: string,
  ): Promise<readonly Count[]>;
  /** Counts by the rules that are left, some of which need the body. */
  count(
    operation: Pick<Operation, 'rateLimit'>,
    principal: Principal,
    request: { source: string; body: unknown },
  ): Promise<Counted>;
}

/** Writes the headers of draft-ietf-httpapi-ratelimit-headers; throws `rate_limited` where a rule is broken. */
export function answerCounts(response: ServerResponse, counts: readonly Count[]): void {
  const own = counts.filter(({ isOwn }) => isOwn);
  if (own.length > 0) {
    response.setHeader(
      'RateLimit-Policy',
      own.map(({ name, most, windowSeconds }) => `"${name}";q=${most};w=${windowSeconds}`).join(', '),
    );
    response.setHeader(
      'RateLimit',
      own.map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`).join(', '),
    );
  }
  const broken = counts.find(({ isExceeded }) => isExceeded);
  if (broken === undefined) return;
  const seconds = Math.max(broken.resetSeconds, 1);
  response.setHeader('Retry-After', seconds);
  throw new DomainError('rate_limited', `Too many requests; try again in ${seconds} seconds.`);
}
