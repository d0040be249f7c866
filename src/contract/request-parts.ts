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
    expectedVersions: versionsIn(request.headers['if-match']),
    expectedHashes: hashesIn(request.headers['if-match']),
    wantsCsv: operation.offersCsv && wantsCsv(request),
    rawBody: rawBodyOf(request),
    bodyStream: operation.bodyTypes.includes('application/octet-stream') ? request : undefined,
    bodyFile: fileOf(request),
  } as never;
}

/**
 * The entity tags of an `If-Match` that can match; null without the header and for `*`. The comparison is strong (RFC
 * 9110): a weak tag matches no version. The contract checks the header's form.
 */
function strongTagsIn(ifMatch: string | undefined): string[] | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null;
  return [...ifMatch.matchAll(/(W\/)?"([^"]*)"/g)].flatMap(([, weak, tag = '']) =>
    weak === undefined ? [tag] : [],
  );
}

const versionsIn = (ifMatch: string | undefined): number[] | null =>
  strongTagsIn(ifMatch)
    ?.filter((tag) => /^\d{1,15}$/.test(tag))
    .map(Number) ?? null;

const hashesIn = (ifMatch: string | undefined): string[] | null =>
  strongTagsIn(ifMatch)?.filter((tag) => /^[0-9a-f]{64}$/.test(tag)) ?? null;

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
