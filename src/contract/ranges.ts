// Understands which part of a file a request asks for (RFC 9110, section 14).
import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange } from '../results/results.ts';

interface File {
  size: number;
  /** In quotes, as in `ETag`. */
  tag: string;
}

/** The one part that is asked for; undefined for all of it, which is also the answer to what can't be given in part. */
export function rangeOf(
  { range, 'if-range': condition }: IncomingHttpHeaders,
  { size, tag }: File,
): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(range?.trim() ?? '') ?? [];
  if (condition !== undefined && condition !== tag) return undefined;
  if (first === '' && last === '') return undefined;
  const wanted =
    first === ''
      ? { first: Math.max(size - Number(last), 0), last: size - 1 }
      : { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
  return wanted.first <= wanted.last ? wanted : undefined;
}
