// What a rate limiter reports about a request, and the headers or the refusal that callers get for it.
import type { ServerResponse } from 'node:http';
import { DomainError } from '../errors.ts';
import type { Operation } from './document.ts';

/** The count of one rule, including this request. */
export interface Count {
  /** Name of the rule, unique within its class. */
  name: string;
  max: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
  isExceeded: boolean;
  /** Whether it counts only the caller's own requests, so that reporting it reveals nothing about others. */
  isOwn: boolean;
}

export interface Counted {
  counts: readonly Count[];
  /** Removes this request from rules that count failures only. */
  succeeded(): Promise<void>;
}

/** How many invalid credentials came from one source. */
export interface Failures {
  count: Count;
  /** Counts one more. */
  add(): Promise<void>;
}

export interface RateLimits<Principal> {
  /** Called before credentials are checked. */
  failuresOf(source: string): Promise<Failures>;
  /** Whether a class of this name exists. */
  has(name: string): boolean;
  /** Counts by the rules that need nothing of the request's content, so that refused requests count, too. */
  admit(
    operation: Pick<Operation, 'rateLimit'>,
    principal: Principal,
    source: string,
  ): Promise<readonly Count[]>;
  /** Counts by the remaining rules, some of which need the body. */
  count(
    operation: Pick<Operation, 'rateLimit'>,
    principal: Principal,
    request: { source: string; body: unknown },
  ): Promise<Counted>;
}

/** Writes the headers of draft-ietf-httpapi-ratelimit-headers; throws `rate_limited` if a rule is exceeded. */
export function applyRateLimits(response: ServerResponse, counts: readonly Count[]): void {
  const own = counts.filter(({ isOwn }) => isOwn);
  if (own.length > 0) {
    response.setHeader(
      'RateLimit-Policy',
      own.map(({ name, max, windowSeconds }) => `"${name}";q=${max};w=${windowSeconds}`).join(', '),
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
