// Sends the reply of a handler: JSON, a file, a table, a stream or a shared body.
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable, type Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { Request, Response } from 'express';
import type { Operation } from './document.ts';
import { setCookie } from './cookies.ts';
import { Versioned, WithCookie } from './replies.ts';
import type { ReplyValidator } from './reply-validator.ts';
import {
  Download,
  EventStream,
  SharedReply,
  StoredContent,
  Table,
  type ByteRange,
} from '../results/results.ts';

/** `validator` checks JSON before it is sent. */
export async function send(
  operation: Operation,
  request: Request,
  response: Response,
  reply: unknown,
  validator: ReplyValidator | undefined,
): Promise<void> {
  response.status(operation.status);
  response.setHeader('Cache-Control', 'no-store');
  if (reply instanceof Table) await sendTable(request, response, reply);
  else if (reply instanceof Download) await sendDownload(request, response, reply);
  else if (reply instanceof StoredContent) await sendStoredFile(request, response, reply);
  else if (reply instanceof EventStream) await sendEvents(request, response, reply);
  else if (reply instanceof SharedReply) {
    validator?.check(operation, reply.body);
    await sendShared(request, response, reply);
  } else if (reply instanceof Versioned) {
    validator?.check(operation, reply.body);
    response.setHeader('ETag', `"${reply.version}"`);
    sendJson(request, response, reply.body);
  } else if (reply instanceof WithCookie) {
    validator?.check(operation, reply.body);
    setCookie(request, response, reply.cookie);
    sendJson(request, response, reply.body);
  } else {
    validator?.check(operation, reply);
    sendJson(request, response, reply, true);
  }
}

/** `isPlain`: no cache revalidates the reply, so it needs nothing of Express. */
function sendJson(request: Request, response: Response, body: unknown, isPlain = false): void {
  if (body === undefined) {
    response.end();
    return;
  }
  const link = linkToNext(request, body);
  if (link !== undefined) response.append('Link', link);
  if (!isPlain) {
    response.json(body);
    return;
  }
  const text = JSON.stringify(body);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  if (request.method === 'HEAD') response.end();
  else response.end(text);
}

async function sendShared(request: Request, response: Response, reply: SharedReply<unknown>): Promise<void> {
  const { body, content, publicSeconds } = reply;
  response.setHeader('Cache-Control', `public, max-age=${publicSeconds}`);
  const link = reply.link(request.originalUrl, () => linkToNext(request, body));
  if (link !== undefined) response.append('Link', link);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  await content.send(request, response);
}

const simplePath = /^(?:\/[\w-]+)+$/;

/** The link to the next page; undefined on the last page. */
function linkToNext(request: Request, body: unknown): string | undefined {
  const { next_cursor: cursor } = body as { next_cursor?: unknown };
  if (typeof cursor !== 'string') return undefined;
  const { originalUrl } = request;
  const end = originalUrl.indexOf('?');
  const path = end < 0 ? originalUrl : originalUrl.slice(0, end);
  // Other paths may hold characters that a header must not.
  const pathname = simplePath.test(path) ? path : new URL(path, 'http://localhost').pathname;
  const searchParams = new URLSearchParams(end < 0 ? '' : originalUrl.slice(end));
  searchParams.set('cursor', cursor);
  return `<${pathname}?${searchParams.toString()}>; rel="next"`;
}

/** Escapes cells that a spreadsheet would take for formulas, since they may hold text that other tenants chose. */
async function sendTable(request: Request, response: Response, table: Table): Promise<void> {
  const { fileName, names, records } = table;
  response.type('text/csv').attachment(fileName);
  await stream(request, response, [
    Readable.from(records()),
    stringify({ header: true, columns: [...names], escape_formulas: true, cast: { boolean: String } }),
  ]);
}

async function sendDownload(request: Request, response: Response, download: Download): Promise<void> {
  response.attachment(download.fileName).setHeader('Content-Type', download.mediaType);
  if (download.size !== undefined) response.setHeader('Content-Length', download.size);
  await stream(request, response, [download.stream]);
}

/** How long a client may leave what was sent unread; it can continue after the last event that it has read. */
const maxUnreadMs = 10_000;

/** Not compressed: a compressor would hold events back, and compression leaks secrets (see PublicContent). */
async function sendEvents(request: Request, response: Response, { chunks }: EventStream): Promise<void> {
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('X-Accel-Buffering', 'no');
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  response.flushHeaders();
  const left = new AbortController();
  response.once('close', () => left.abort());
  for await (const chunk of chunks(left.signal)) {
    if (left.signal.aborted) return;
    if (response.write(chunk)) continue;
    const timeout = AbortSignal.any([left.signal, AbortSignal.timeout(maxUnreadMs)]);
    await once(response, 'drain', { signal: timeout }).catch(() => response.destroy());
  }
  response.end();
}

/** Opens the content before sending headers, so that a failure becomes a problem response. */
async function sendStoredFile(
  request: Request,
  response: Response,
  { options }: StoredContent,
): Promise<void> {
  const { mediaType, fileName, size, isPublic = false, open } = options;
  const tag = `"${options.tag}"`;
  const describe = () => {
    response.setHeader('ETag', tag).setHeader('Accept-Ranges', 'bytes');
    // Public content can become private: caches must revalidate it.
    if (isPublic) response.setHeader('Cache-Control', 'public, no-cache');
  };
  if (isPublic && hasTag(request.headers['if-none-match'], tag)) {
    describe();
    response.status(304).end();
    return;
  }
  const range = rangeOf(request.headers, { size, tag });
  const content = await open(range);
  describe();
  response.attachment(fileName).setHeader('Content-Type', mediaType);
  if (range !== undefined) {
    response.status(206).setHeader('Content-Range', `bytes ${range.first}-${range.last}/${size}`);
  }
  response.setHeader('Content-Length', range === undefined ? size : range.last - range.first + 1);
  await stream(request, response, [content]);
}

function hasTag(list: string | undefined, tag: string): boolean {
  const tags = (list ?? '').split(',').map((item) => item.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}

async function stream(request: Request, response: Response, parts: [Readable, ...Duplex[]]): Promise<void> {
  if (request.method === 'HEAD') {
    for (const part of parts) part.destroy();
    response.end();
    return;
  }
  try {
    await pipeline([...parts, response]);
  } catch (error) {
    const hasCallerLeft = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!hasCallerLeft) throw error;
  }
}

interface File {
  size: number;
  /** The entity tag with its quotes, as in `ETag`. */
  tag: string;
}

/** The single requested range (RFC 9110, section 14). Undefined if the whole file is requested, or if the range cannot be served. */
function rangeOf(
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
