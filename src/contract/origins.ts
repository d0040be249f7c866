// Decides which web pages of other origins may call the API (CORS).
import cors from 'cors';
import type { RequestHandler } from 'express';

/** Response headers that scripts of other origins may read. */
const exposedHeaders = [
  'Deprecation',
  'ETag',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
  'Content-Disposition',
];

const preflightSeconds = 600;

/** Callers authenticate with explicit headers, never with cookies, so no credentials are allowed. */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  const allow = cors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders,
    maxAge: preflightSeconds,
  });
  return (request, response, next) => {
    if (origins.length > 0) response.vary('Origin');
    if (origins.includes(request.headers.origin ?? '')) allow(request, response, next);
    else next();
  };
}
