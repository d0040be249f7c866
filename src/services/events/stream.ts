// Streams the event log of a license to callers, for as long as they have access.
import { setTimeout as pause } from 'node:timers/promises';
import type { Ctx, PermissionMap } from '../../context.ts';
import { DomainError, isRefusal, isUnavailable } from '../../errors.ts';
import { cursorOf, type Position } from '../../events/cursor.ts';
import type { Query } from '../../platform-contract/types.ts';
import { EventStream } from '../../results/results.ts';
import { concerns, type AccessChanges } from '../auth/access-changes.ts';
import type { AccessRequirement, LastingAccess } from '../auth/access-recheck.ts';
import {
  endOfLog,
  filterOf,
  knownPosition,
  positionOfRow,
  refuseExpired,
  typesFor,
  type EventFilter,
  type EventRow,
} from './index.ts';
import { eventsAtOnce, nextEvents } from './next-events.ts';
import { Counts } from '../../process/counts.ts';
import type { EventTail } from './tail.ts';
import { block, chunksOf } from './stream-blocks.ts';

export interface StreamParts {
  tail: EventTail;
  lastingAccess: LastingAccess;
  changes: AccessChanges;
  /** Maximum open streams of this process. */
  maxStreams: number;
  times?: Partial<typeof defaultTimes>;
}

const defaultTimes = {
  heartbeatMs: 15_000,
  /** Clients then connect again, so that new replicas get their share. */
  maxMs: 3_600_000,
  /** Access is checked again after this time, in case the announcement of a change was lost. */
  recheckMs: 60_000,
  /** While the database cannot be reached, it is asked again after this time, or after up to twice as long. */
  retryMs: 1_000,
};

const maxOfHolder = 10;
const maxOfLicense = 200;
const ownLimit = `At most ${maxOfHolder} streams of a session or key and ${maxOfLicense} of a license are open; close one`;
const replicaLimit = 'This replica has as many open streams as it can serve; try again later';
/** Events per second of one stream; more are delayed. */
const maxRate = 1_000;
const requirement: AccessRequirement = { scheme: 'bearerAuth', permissions: ['events.view'] };

type StreamQuery = Query<'streamEvents'>;

interface Open {
  holder: string;
  licenseId: string;
  isEnded: boolean;
  end: () => void;
}

export class EventStreams {
  readonly #parts: StreamParts;
  readonly #times: typeof defaultTimes;
  readonly #open = new Set<Open>();
  readonly #ofHolders = new Counts();
  readonly #ofLicenses = new Counts();
  #isClosing = false;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#times = { ...defaultTimes, ...parts.times };
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Throws if the request cannot be streamed. The stream starts after the cursor, or with new events. */
  async open(ctx: Ctx, query: StreamQuery, lastEventId: string | undefined): Promise<EventStream> {
    const filter = filterOf(ctx, query);
    const start = await this.#startOf(ctx, positionIn(query, lastEventId));
    const refusal = this.#refusalOf(ctx);
    if (refusal !== undefined) throw refusal;
    return new EventStream((signal) => this.#stream(ctx, query, { filter, start, signal }));
  }

  /** Ends all streams; their clients connect to another replica, after times that differ. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const { end } of this.#open) end();
    this.#parts.tail.stop();
  }

  #startOf(ctx: Ctx, position: Position | undefined): Promise<Position> {
    const { licenseId } = ctx;
    return ctx.read(async (queries) => {
      if (position === undefined) return endOfLog(queries, licenseId);
      await refuseExpired(queries, licenseId, position);
      return position;
    });
  }

  /** Why the caller can open no stream of this replica; undefined if they can. */
  #refusalOf(ctx: Ctx): DomainError | undefined {
    if (this.#isClosing) return new DomainError('unavailable', 'This replica is stopping; connect again.');
    const isOwnLimit =
      this.#ofLicenses.of(ctx.licenseId) >= maxOfLicense || this.#ofHolders.of(holderOf(ctx)) >= maxOfHolder;
    if (isOwnLimit) return streamLimit(ownLimit);
    if (this.#open.size >= this.#parts.maxStreams) return streamLimit(replicaLimit);
    return undefined;
  }

  #count({ holder, licenseId }: Open, change: 1 | -1): void {
    this.#ofHolders.add(holder, change);
    this.#ofLicenses.add(licenseId, change);
  }

  async *#stream(
    ctx: Ctx,
    query: StreamQuery,
    { filter, start, signal }: { filter: EventFilter; start: Position; signal: AbortSignal },
  ): AsyncGenerator<string, void> {
    // Streams that were opened at the same time passed the check together.
    if (this.#refusalOf(ctx) !== undefined) {
      yield block(start, 'reconnect', {});
      return;
    }
    const { heartbeatMs, maxMs, recheckMs } = this.#times;
    let woken = Promise.withResolvers<void>();
    const wake = () => woken.resolve();
    const own: Open = {
      holder: holderOf(ctx),
      licenseId: ctx.licenseId,
      isEnded: false,
      end: () => {
        own.isEnded = true;
        wake();
      },
    };
    let mustRecheck = false;
    const unfollow = this.#parts.tail.follow(ctx.licenseId, wake);
    const unlisten = this.#parts.changes.on((change) => {
      if (!concerns(change, idsOf(ctx))) return;
      mustRecheck = true;
      wake();
    });
    signal.addEventListener('abort', own.end);
    this.#open.add(own);
    this.#count(own, 1);
    try {
      let position = start;
      let wanted = filter;
      const startedAt = Date.now();
      let checkedAt = startedAt;
      let sentAt = startedAt;
      yield `retry: 2000\n${block(position, 'ready', { cursor: cursorOf(position), heartbeat_seconds: heartbeatMs / 1000 })}`;
      while (!own.isEnded) {
        woken = Promise.withResolvers<void>();
        if (mustRecheck || Date.now() - checkedAt >= recheckMs) {
          mustRecheck = false;
          checkedAt = Date.now();
          const permissions = await this.#onceReachable(() => this.#permissionsNow(ctx), own);
          if (own.isEnded) break;
          if (permissions === undefined) return;
          wanted = { ...filter, types: typesFor(permissions, query.type) };
        }
        const next = await this.#onceReachable(() => this.#next(ctx, position, wanted), own);
        if (own.isEnded) break;
        // Access may have ended while the database could not be reached.
        if (mustRecheck) continue;
        // The client that connects again is refused, and learns that it must read its lists again.
        if (next === undefined) return;
        position = next.position;
        if (next.events.length > 0) {
          sentAt = Date.now();
          yield* chunksOf(next.events);
          await pause((next.events.length / maxRate) * 1_000);
        }
        if (Date.now() - startedAt >= maxMs) {
          yield block(position, 'reconnect', {});
          return;
        }
        if (next.hasMore) continue;
        if (Date.now() - sentAt >= heartbeatMs) {
          sentAt = Date.now();
          // A block without data moves the client's position and causes no event.
          yield `id: ${cursorOf(position)}\n: still here\n\n`;
        }
        const waitMs = Math.max(
          1,
          Math.min(sentAt + heartbeatMs, startedAt + maxMs, checkedAt + recheckMs) - Date.now(),
        );
        const timer = setTimeout(wake, waitMs).unref();
        await woken.promise;
        clearTimeout(timer);
      }
      if (this.#isClosing)
        yield `retry: ${1_000 + Math.floor(Math.random() * 4_000)}\n${block(position, 'reconnect', {})}`;
    } finally {
      this.#open.delete(own);
      this.#count(own, -1);
      signal.removeEventListener('abort', own.end);
      unlisten();
      unfollow();
    }
  }

  /**
   * Repeats `ask` until the database is reachable, and sends nothing meanwhile. Ending the stream would make all clients
   * reconnect at once. Returns undefined if the stream ended.
   */
  async #onceReachable<T>(ask: () => Promise<T>, own: Open): Promise<T | undefined> {
    while (!own.isEnded) {
      try {
        return await ask();
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        await pause(this.#times.retryMs * (1 + Math.random()), undefined, { ref: false });
      }
    }
    return undefined;
  }

  /** The caller's permissions; undefined once the caller has no access. */
  async #permissionsNow(ctx: Ctx): Promise<PermissionMap | undefined> {
    try {
      return await this.#parts.lastingAccess.permissionsNow(ctx, requirement);
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  }

  /**
   * The next events after the position, and the position up to which nothing else is wanted. Undefined if the log does
   * not have the position any more.
   */
  async #next(
    ctx: Ctx,
    position: Position,
    filter: EventFilter,
  ): Promise<{ events: EventRow[]; position: Position; hasMore: boolean } | undefined> {
    const { licenseId } = ctx;
    const kept = this.#parts.tail.after(licenseId, position);
    if (kept !== undefined) {
      const taken = kept.slice(0, eventsAtOnce);
      const last = taken.at(-1);
      return {
        events: taken.filter((event) => isWanted(event, filter)),
        position: last === undefined ? position : positionOfRow(last),
        hasMore: taken.length < kept.length,
      };
    }
    return ctx.read(async (queries) => {
      const end = await endOfLog(queries, licenseId);
      const next = await nextEvents(queries, licenseId, filter, position);
      if (next === undefined) return undefined;
      const { events, hasMore } = next;
      const last = events.at(-1);
      if (last !== undefined && (hasMore || last.seq > end.seq))
        return { events, position: positionOfRow(last), hasMore };
      return { events, position: end.seq > position.seq ? end : position, hasMore: false };
    });
  }
}

const streamLimit = (advice: string) =>
  new DomainError('stream_limit', `${advice}, or read the log with GET /api/events.`);

/** Clients that reconnect repeat their query, so the header has precedence. */
function positionIn({ cursor }: StreamQuery, lastEventId: string | undefined): Position | undefined {
  if (lastEventId !== undefined)
    return knownPosition(lastEventId, { in: 'headers', pointer: '/last-event-id' });
  return cursor === undefined ? undefined : knownPosition(cursor, { in: 'query', pointer: '/cursor' });
}

function isWanted(
  event: EventRow,
  { types, subjectType, subjectId, instanceId, hostId }: EventFilter,
): boolean {
  return (
    (types === null || types.some((type) => type === event.type)) &&
    (subjectType === undefined || event.subject_type === subjectType) &&
    (subjectId === undefined || event.subject_id === subjectId) &&
    (instanceId === undefined || event.instance_id === instanceId) &&
    (hostId === undefined || event.host_id === hostId)
  );
}

/** The session or key that a stream counts for. */
function holderOf({ principal }: Ctx): string {
  return principal.kind === 'user' ? principal.sessionId : (principal.actor?.id ?? '');
}

function idsOf({ principal, licenseId }: Ctx) {
  return principal.kind === 'user'
    ? { userId: principal.userId, sessionId: principal.sessionId, licenseId }
    : { userId: '', apiKeyId: principal.actor?.id ?? '', licenseId };
}
