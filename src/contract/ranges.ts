// Parses which part of a file a request asks for (RFC 9110, section 14).
import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange } from '../results/results.ts';

interface File {
  size: number;
  /** The entity tag with its quotes, as in `ETag`. */
  tag: string;
}

/** The single requested range. Undefined if the whole file is requested, or if the range cannot be served. */
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
