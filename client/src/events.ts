// The event stream: Server-Sent Events that continue where they were cut.
import { errorOf, HttpError } from './errors.ts';
import { discard, passingStatuses, retryAfterMs, wait, whileWanted, type Send } from './retries.ts';

export interface StreamedEvent {
  type: string;
  /** Pass it as `cursor` to continue after this event. */
  cursor: string;
  /** The whole event, as `GET /api/events` returns it. */
  event: Record<string, unknown>;
}

export interface EventStreamOptions {
  /** Continues after this event, or after a list's `stream_cursor`; begins now without it. */
  cursor?: string;
  /** The filters of `GET /api/events/stream`, such as `{ type: ['order.*', 'player.joined'] }`. */
  query?: Record<string, string | readonly string[]>;
  /**
   * Called when the stream is open, and after each reconnection, with the cursor that it continues from. Events that are
   * recorded from then on arrive: what you read now misses none of them.
   */
  onReady?: (cursor: string) => void;
  signal?: AbortSignal;
}

/** The cursor is too old, or from before a restore: read the lists again, and start from their cursor. */
export class EventCursorExpired extends Error {
  override readonly name = 'EventCursorExpired';
}

/** The platform writes at least every 15 seconds. */
const maxSilenceMs = 45_000;
const firstWaitMs = 1000;
const maxWaitMs = 30_000;

interface Message {
  event: string;
  data: string;
  id: string | undefined;
  retryMs: number | undefined;
}

/** Yields events until the caller stops or aborts; only refusals that will not pass end it with an error. */
export async function* streamEvents(
  send: Send,
  baseUrl: string,
  { cursor: start, query = {}, onReady, signal = new AbortController().signal }: EventStreamOptions,
): AsyncGenerator<StreamedEvent, void, undefined> {
  // An address that no request can have is a mistake, not a lost connection.
  streamRequest(baseUrl, query, start, signal);
  let cursor = start;
  let waitMs = firstWaitMs;
  for (;;) {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), maxSilenceMs);
    const hear = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), maxSilenceMs);
    };
    try {
      const either = AbortSignal.any([signal, silence.signal]);
      const sent = send(streamRequest(baseUrl, query, cursor, either), { signal: either });
      const response = await whileWanted(sent, either).catch((error: unknown) => {
        sent.then(discard, () => undefined);
        throw error;
      });
      if (!response.ok) {
        const pauseMs = await pauseAfter(response);
        waitMs = Math.max(waitMs, pauseMs);
      } else {
        waitMs = firstWaitMs;
        for await (const message of messagesOf(response, either, hear)) {
          if (message.retryMs !== undefined) waitMs = message.retryMs;
          if (message.id !== undefined) cursor = message.id;
          if (message.event === 'reconnect') break;
          if (message.data === '') continue;
          if (message.event === 'ready') {
            onReady?.(cursor ?? '');
            continue;
          }
          const event = JSON.parse(message.data) as Record<string, unknown>;
          yield { type: message.event, cursor: cursor ?? '', event };
        }
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      // A lost connection, or a silent one: continue after the last event.
      if (error instanceof HttpError || error instanceof EventCursorExpired || !isLost(error)) throw error;
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
    await wait(waitMs * (0.5 + Math.random() / 2), signal);
    waitMs = Math.min(waitMs * 2, maxWaitMs);
  }
}

function streamRequest(
  baseUrl: string,
  query: object,
  cursor: string | undefined,
  signal: AbortSignal,
): Request {
  const search = new URLSearchParams();
  // Lists in queries are separated by commas.
  for (const [name, value] of Object.entries(query) as [string, string | readonly string[]][])
    if (value.length > 0) search.set(name, typeof value === 'string' ? value : value.join(','));
  const headers = new Headers({ Accept: 'text/event-stream' });
  if (cursor !== undefined) headers.set('Last-Event-ID', cursor);
  const suffix = search.size === 0 ? '' : `?${search.toString()}`;
  return new Request(`${baseUrl}/api/events/stream${suffix}`, { headers, redirect: 'manual', signal });
}

/** How long to wait after a refusal that passes; throws the others. */
async function pauseAfter(response: Response): Promise<number> {
  if (response.status === 410) {
    discard(response);
    throw new EventCursorExpired('The cursor has expired. Read the lists again.');
  }
  if (!passingStatuses.has(response.status)) throw await errorOf(response);
  discard(response);
  return retryAfterMs(response);
}

/** Fetch reports a lost network as a TypeError, and an aborted one as a DOMException. */
const isLost = (error: unknown): boolean => error instanceof TypeError || error instanceof DOMException;

/** Messages of the stream; one without data may carry an id. */
async function* messagesOf(
  { body }: Response,
  signal: AbortSignal,
  onBytes: () => void,
): AsyncGenerator<Message, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const chunk = (await whileWanted(reader.read(), signal)) as { done: boolean; value?: Uint8Array };
      if (chunk.done) return;
      onBytes();
      rest += decoder.decode(chunk.value, { stream: true });
      const blocks = rest.split(/\r\n\r\n|\n\n|\r\r/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield messageOf(block);
    }
  } finally {
    // Does not wait: a copy of the body may still be read.
    reader.cancel().catch(() => undefined);
  }
}

function messageOf(block: string): Message {
  const message: Message = { event: 'message', data: '', id: undefined, retryMs: undefined };
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') message.event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) message.id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) message.retryMs = Number(value);
  }
  return { ...message, data: data.join('\n') };
}
