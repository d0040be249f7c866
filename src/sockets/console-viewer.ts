// One open console socket: sends live lines and earlier ones, forwards typed lines to the agent, and closes.
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { Bus } from '../bus/bus.ts';
import { BadMessage } from '../contract/messages.ts';
import { DomainError } from '../errors.ts';
import type { ConsoleFeed } from './console-feed.ts';
import type { FrameReader, HistoryFrame, HistoryRequest, InputFrame, ServerFrame } from './console-frames.ts';
import { ConsoleLines } from './console-lines.ts';
import { SecondLimit } from './second-limit.ts';
import { canInput, canWatch, type ConsoleSeat } from '../services/console/index.ts';

export const closeCodes = {
  goingAway: 1001,
  badFrame: 1008,
  failed: 1011,
  noLongerAllowed: 4401,
  instanceGone: 4404,
  tooSlow: 4408,
} as const;

const earlierLines = 200;
/**
 * Maximum lifetime of a socket; afterwards the viewer needs a new ticket. Without it, an access token that is valid for
 * 15 minutes could open a socket that lasts for weeks.
 */
const maxOpenMs = 12 * 60 * 60_000;
/** With more bytes waiting for it, a viewer is behind: it gets no lines until it has read, and then the newest. */
const maxWaitingBytes = 256 * 1024;
/** After this time behind, the socket is closed. */
const maxBehindMs = 10_000;
/** A client that requests more with that many bytes waiting is disconnected. */
const maxUnreadBytes = 1024 * 1024;
const maxHeldCharacters = 500_000;
const linesPerSecond = 10;
const historyLines = 500;
const historyPagesPerSecond = 20;
const inputLine = /^(?=.*\S)[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,1000}$/;
/**
 * Shorter than the agent's reply timeout, so that no line is typed after the platform stopped waiting for its reply.
 */
const inputLifetimeMs = 4_000;

export interface ViewerOptions {
  socket: WebSocket;
  seat: ConsoleSeat;
  feed: ConsoleFeed;
  bus: Bus;
  readFrame: FrameReader;
  log: Logger;
}

const noHistory = { ok: false, lines: [], has_earlier: false } satisfies Partial<HistoryFrame>;

export class ConsoleViewer {
  readonly #socket: WebSocket;
  readonly #feed: ConsoleFeed;
  readonly #bus: Bus;
  readonly #readFrame: FrameReader;
  readonly #log: Logger;
  readonly #openedAt = Date.now();
  #seat: ConsoleSeat;
  #stopWatching: () => void = () => undefined;
  /** Live batches that arrived while the earlier lines were being fetched. */
  #held: ConsoleLines[] | undefined = [];
  #heldCharacters = 0;
  #last: { boot: string; seq: number } | undefined;
  readonly #typed = new SecondLimit(linesPerSecond);
  readonly #historyPages = new SecondLimit(historyPagesPerSecond);
  #isReadingHistory = false;
  #behindSince: number | undefined;

  constructor({ socket, seat, feed, bus, readFrame, log }: ViewerOptions) {
    this.#socket = socket;
    this.#seat = seat;
    this.#feed = feed;
    this.#bus = bus;
    this.#readFrame = readFrame;
    this.#log = log;
  }

  get seat(): ConsoleSeat {
    return this.#seat;
  }

  async open(): Promise<void> {
    this.#socket.on('message', (data, isBinary) => {
      this.#receive(data as Buffer, isBinary).catch((error: unknown) => {
        this.#log.error({ err: error }, 'a console frame failed');
        this.close(closeCodes.failed, 'internal error');
      });
    });
    this.#socket.on('close', () => this.#stopWatching());
    this.#socket.on('error', (error) => this.#log.debug({ err: error }, 'console socket'));
    const { hostId, instanceName, instanceId, user } = this.#seat;
    this.#send({ type: 'hello', instance_id: instanceId, may_input: canInput(user) });
    this.#stopWatching = this.#feed.watch(hostId, instanceName, (lines) => {
      if (this.#held === undefined) this.#forward(lines);
      else this.#hold(lines);
    });
    if (this.#socket.readyState !== this.#socket.OPEN) this.#stopWatching();
    await this.#sendEarlierLines();
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const lines of held) this.#forward(lines);
  }

  isExpired(now: number): boolean {
    return now - this.#openedAt >= maxOpenMs;
  }

  /** Continues with `user`'s current permissions if they may still watch; otherwise closes the socket. */
  reconsider(user: ConsoleSeat['user'] | undefined): void {
    if (user !== undefined && canWatch(user) && user.license?.id === this.#seat.licenseId) {
      this.#seat = { ...this.#seat, user };
      return;
    }
    this.close(closeCodes.noLongerAllowed, 'no longer allowed');
  }

  close(code: number, reason: string): void {
    this.#stopWatching();
    this.#socket.close(code, reason);
    setTimeout(() => this.#socket.terminate(), 2_000).unref();
  }

  /** Buffers a live batch until the earlier lines are sent; dropped batches show as a gap. */
  #hold(batch: ConsoleLines): void {
    const characters = batch.lines.reduce((sum, { text }) => sum + text.length, 0);
    if (this.#heldCharacters + characters > maxHeldCharacters) return;
    this.#heldCharacters += characters;
    this.#held?.push(batch);
  }

  async #sendEarlierLines(): Promise<void> {
    const { hostId, instanceName } = this.#seat;
    try {
      const reply = await this.#bus.ask(hostId, 'console-tail', {
        v: 1,
        host_id: hostId,
        instance: instanceName,
        limit: earlierLines,
      });
      if (reply.error !== undefined) this.#send({ type: 'unavailable', ...reply.error });
      else if (reply.boot !== undefined && reply.lines !== undefined) {
        this.#forward(new ConsoleLines(reply.boot, reply.lines), reply.truncated);
      }
    } catch (error) {
      const { code, message } = asRefusal(error, this.#log);
      this.#send({ type: 'unavailable', code, detail: message });
    }
  }

  /** Whether the client has not read what it was sent; one that has not for long is disconnected. */
  #isBehind(): boolean {
    if (this.#socket.bufferedAmount <= maxWaitingBytes) {
      this.#behindSince = undefined;
      return false;
    }
    const now = performance.now();
    this.#behindSince ??= now;
    if (now - this.#behindSince > maxBehindMs) this.close(closeCodes.tooSlow, 'reading too slowly');
    return true;
  }

  /** Sends lines that were not sent yet, and marks gaps. */
  #forward(batch: ConsoleLines, isTruncated = false): void {
    if (this.#isBehind()) return;
    const { boot, lines } = batch;
    const last = this.#last?.boot === boot ? this.#last.seq : 0;
    const fresh = lines.filter(({ seq }) => seq > last);
    const [first] = fresh;
    const newest = fresh.at(-1);
    if (first === undefined || newest === undefined) return;
    if (last > 0 && first.seq > last + 1)
      this.#send({ type: 'gap', boot, after_seq: last, before_seq: first.seq });
    this.#last = { boot, seq: newest.seq };
    if (fresh.length === lines.length && !isTruncated) this.#sendEncoded(batch.frame);
    else this.#send({ type: 'lines', boot, lines: fresh, ...(isTruncated && { truncated: true }) });
  }

  async #receive(data: Buffer, isBinary: boolean): Promise<void> {
    const frame = isBinary ? undefined : this.#frameOf(data);
    if (frame === undefined) {
      this.close(closeCodes.badFrame, 'not a frame of this protocol');
      return;
    }
    const id = frame.id === undefined ? {} : { id: frame.id };
    if (frame.type === 'history')
      this.#send({ type: 'history', ...id, ...noHistory, ...(await this.#historyBefore(frame)) });
    else this.#send({ type: 'input_result', ...id, ...(await this.#type(frame.line)) });
  }

  async #historyBefore({ boot, before_seq: seq }: HistoryRequest): Promise<Partial<HistoryFrame>> {
    if (this.#isReadingHistory || !this.#historyPages.take())
      return {
        code: 'too_many',
        detail: `At most ${historyPagesPerSecond} requests a second, one at a time.`,
      };
    const { hostId, instanceName } = this.#seat;
    this.#isReadingHistory = true;
    try {
      const { error, lines, has_earlier, ...page } = await this.#bus.ask(hostId, 'console-tail', {
        v: 1,
        host_id: hostId,
        instance: instanceName,
        limit: historyLines,
        before: boot === undefined || seq === undefined ? {} : { boot, seq },
      });
      if (error?.code === 'invalid')
        return { code: 'not_supported', detail: 'The agent of this host is too old to keep earlier lines.' };
      if (error !== undefined) return error;
      return {
        ok: true,
        lines: lines ?? [],
        has_earlier: has_earlier === true,
        ...(page.boot !== undefined && { boot: page.boot }),
      };
    } catch (error) {
      const { code, message } = asRefusal(error, this.#log);
      return { code, detail: message };
    } finally {
      this.#isReadingHistory = false;
    }
  }

  async #type(line: string | null): Promise<{ ok: boolean; code?: string; detail?: string }> {
    const { hostId, instanceName, user } = this.#seat;
    // Checked first, so that the rate limit covers every attempt.
    if (!this.#typed.take())
      return { ok: false, code: 'too_many', detail: `At most ${linesPerSecond} lines a second are taken.` };
    if (!canInput(user))
      return {
        ok: false,
        code: 'forbidden',
        detail: 'This operation requires the permission console.input.',
      };
    if (line === null || !inputLine.test(line))
      return {
        ok: false,
        code: 'invalid',
        detail: 'A line has 1 to 1,000 characters, something visible among them and no control characters.',
      };
    try {
      const reply = await this.#bus.ask(hostId, 'console-input', {
        v: 1,
        host_id: hostId,
        instance: instanceName,
        line,
        by: user.email.slice(0, 200),
        expires_at: new Date(Date.now() + inputLifetimeMs).toISOString(),
      });
      return { ok: reply.ok, ...(reply.error && { code: reply.error.code, detail: reply.error.detail }) };
    } catch (error) {
      const { code, message } = asRefusal(error, this.#log);
      return { ok: false, code, detail: message };
    }
  }

  #frameOf(data: Buffer): InputFrame | HistoryRequest | undefined {
    try {
      return this.#readFrame(data);
    } catch (error) {
      if (error instanceof BadMessage) return undefined;
      throw error;
    }
  }

  #send(frame: ServerFrame): void {
    this.#sendEncoded(Buffer.from(JSON.stringify(frame)));
  }

  #sendEncoded(frame: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > maxUnreadBytes) {
      this.close(closeCodes.tooSlow, 'reading too slowly');
      return;
    }
    this.#socket.send(frame, { binary: false });
  }
}

function asRefusal(error: unknown, log: Logger): DomainError {
  if (error instanceof DomainError) return error as DomainError;
  log.warn({ err: error }, 'an agent gave a reply that breaks the contract');
  return new DomainError('agent_timeout', 'The agent gave no proper reply.', { cause: error });
}
