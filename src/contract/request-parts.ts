// Unpacks a validated request for its handler: parameters, body, and what its headers ask for.
import type { Request } from 'express';
import type { Operation } from './document.ts';
import type { RequestOf } from './operation.ts';
import { fileOf, rawBodyOf } from './validation.ts';

export function partsOf(operation: Operation, request: Request): RequestOf<unknown> {
  return {
    path: request.params,
    query: request.query,
    headers: request.headers,
    cookies: request.cookies as unknown,
    body: request.body as unknown,
    waitSeconds: waitSecondsOf(request.headers.prefer),
    expectedVersion: versionOf(request.headers['if-match']),
    expectedHash: hashIn(request.headers['if-match']),
    wantsCsv: operation.offersCsv && wantsCsv(request),
    rawBody: rawBodyOf(request),
    bodyStream: operation.bodyTypes.includes('application/octet-stream') ? request : undefined,
    bodyFile: fileOf(request),
  } as never;
}

/** The version of an `If-Match: "N"`; null for `*`. The contract checks the header's form. */
function versionOf(ifMatch: string | undefined): number | null {
  const version = /^"(\d{1,15})"$/.exec(ifMatch ?? '')?.[1];
  return version === undefined ? null : Number(version);
}

/** The SHA-256 of an `If-Match: "…"`. */
function hashIn(ifMatch: string | undefined): string | null {
  return /^"([0-9a-f]{64})"$/.exec(ifMatch ?? '')?.[1] ?? null;
}

function wantsCsv(request: Request): boolean {
  const { format } = request.query;
  return format === undefined ? request.accepts(['json', 'csv']) === 'csv' : format === 'csv';
}

const maxWaitSeconds = 10;

/** The seconds of `Prefer: wait=N` (RFC 7240), capped at our maximum; 0 without the header. */
function waitSecondsOf(prefer: string | string[] | undefined): number {
  const seconds = /(?:^|,)\s*wait\s*=\s*"?(\d+)"?\s*(?:[,;]|$)/i.exec(String(prefer))?.[1] ?? 0;
  return Math.min(Number(seconds), maxWaitSeconds);
}
