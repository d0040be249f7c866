// Open event streams while the database cannot be reached, the log they share, and the look-ups of their callers.
import { pino } from 'pino';
import type { Ctx } from '../../src/context.ts';
import { DomainError, unauthorized } from '../../src/errors.ts';
import { LastingAccess } from '../../src/services/auth/access-recheck.ts';
import type { MeasuredEvent } from '../../src/services/events/next-events.ts';
import { EventStreams, type StreamParts } from '../../src/services/events/stream.ts';
import { EventTail } from '../../src/services/events/tail.ts';

const start = { seq: 0, at: 0, check: '00000000' };

const caller = (sessionId: string, read: () => Promise<unknown> = () => Promise.resolve(start)) =>
  ({
    principal: { kind: 'user', userId: 'u', sessionId, license: { id: 'l' } },
    license: { permissions: { 'events.view': true } },
    licenseId: 'l',
    read,
  }) as unknown as Ctx;

const unavailable = () => new DomainError('unavailable', 'The database cannot be reached; try again soon.');

describe('an event stream', () => {
  let change: (one: object) => void = () => undefined;

  /** A stream whose caller's access has to be checked before its first event. */
  async function openStream(
    permissionsNow: () => Promise<unknown>,
    { read, kept }: { read?: () => Promise<unknown>; kept?: [] } = { kept: [] },
  ) {
    const streams = new EventStreams({
      tail: { follow: () => () => undefined, after: () => kept, stop: () => undefined },
      lastingAccess: { permissionsNow },
      changes: { on: (listener: typeof change) => ((change = listener), () => undefined) },
      maxStreams: 10,
      times: { heartbeatMs: 1, retryMs: 1 },
    } as unknown as StreamParts);
    const { chunks } = await streams.open(caller('s', read), {}, undefined);
    const blocks = chunks(new AbortController().signal)[Symbol.asyncIterator]();
    expect((await blocks.next()).value).toContain('event: ready');
    change({ user_id: 'u' });
    return blocks;
  }

  it('waits while the database cannot be reached, and continues', async () => {
    const permissionsNow = jest
      .fn(() => Promise.resolve({ 'events.view': true }))
      .mockRejectedValueOnce(unavailable())
      .mockRejectedValueOnce(unavailable());
    const blocks = await openStream(permissionsNow);
    expect((await blocks.next()).value).toContain(': still here');
    expect(permissionsNow).toHaveBeenCalledTimes(3);
  });

  it('sends nothing that it could read only after its caller had lost access', async () => {
    const permissionsNow = jest
      .fn(() => Promise.reject<object>(unauthorized()))
      .mockResolvedValueOnce({ 'events.view': true });
    const read = jest
      .fn<Promise<unknown>, []>(() => Promise.resolve({ events: [{}], position: start, hasMore: false }))
      .mockResolvedValueOnce(start)
      .mockImplementationOnce(() => {
        change({ user_id: 'u' });
        return Promise.reject(unavailable());
      });
    const blocks = await openStream(permissionsNow, { read });
    expect(await blocks.next()).toEqual({ done: true, value: undefined });
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('ends once its caller has no access', async () => {
    const blocks = await openStream(() => Promise.reject(unauthorized()));
    expect(await blocks.next()).toEqual({ done: true, value: undefined });
  });
});

describe('a stream that is refused', () => {
  const streamsUpTo = (maxStreams: number) =>
    new EventStreams({
      tail: { follow: () => () => undefined, after: () => [], stop: () => undefined },
      changes: { on: () => () => undefined },
      maxStreams,
    } as unknown as StreamParts);

  const open = async (streams: EventStreams, sessionId: string) => {
    const { chunks } = await streams.open(caller(sessionId), {}, undefined);
    await chunks(new AbortController().signal)[Symbol.asyncIterator]().next();
  };

  it('by a session with too many of them names the limit of sessions', async () => {
    const streams = streamsUpTo(100);
    for (let count = 0; count < 10; count += 1) await open(streams, 'one');
    await expect(open(streams, 'one')).rejects.toMatchObject({
      code: 'stream_limit',
      message: expect.stringMatching(/^At most 10 streams of a session or key .*; close one/),
    });
    await open(streams, 'another');
    await streams.close();
  });

  it('by a full replica does not advise to close one', async () => {
    const streams = streamsUpTo(1);
    await open(streams, 'one');
    await expect(open(streams, 'another')).rejects.toMatchObject({
      code: 'stream_limit',
      message: expect.stringMatching(/^This replica has as many .*try again later/),
    });
    await streams.close();
  });

  it('by a replica that is stopping may be opened at another one', async () => {
    const streams = streamsUpTo(100);
    await streams.close();
    await expect(open(streams, 'one')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'This replica is stopping; connect again.',
    });
  });
});

describe('the log that streams share', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('keeps each event once while the read of one license fails and another one is slow', async () => {
    const event = { seq: 1, id: 'event-00000001', recorded_at: new Date(1).toISOString(), size: 2 };
    const position = { seq: 1, at: 1, check: '00000001' };
    const slow = Promise.withResolvers<void>();
    let end = start;
    const tail = new EventTail({
      ends: (licenseIds) => Promise.resolve(licenseIds.map((licenseId) => ({ licenseId, position: end }))),
      read: async (licenseId) => {
        if (licenseId === 'failing') throw unavailable();
        await slow.promise;
        return [event as MeasuredEvent];
      },
      log: pino({ level: 'silent' }),
      pollMs: 1,
    });
    const wake = jest.fn();
    tail.follow('failing', () => undefined);
    tail.follow('slow', wake);
    await jest.advanceTimersByTimeAsync(1);
    end = position;
    await jest.advanceTimersByTimeAsync(10);
    slow.resolve();
    await jest.advanceTimersByTimeAsync(10);
    expect(tail.after('slow', start)).toEqual([event]);
    expect(tail.after('slow', position)).toEqual([]);
    // At the first poll, and for the event.
    expect(wake).toHaveBeenCalledTimes(2);
    tail.stop();
  });
});

describe('callers that are checked again', () => {
  it('share the query that follows the one under way', async () => {
    const asked: string[][] = [];
    const first = Promise.withResolvers<void>();
    const findAll = async (claims: { sid: string }[]) => {
      asked.push(claims.map(({ sid }) => sid));
      if (asked.length === 1) await first.promise;
      return claims.map(({ sid }) =>
        sid === 'gone'
          ? undefined
          : { kind: 'user', license: { id: 'l', permissions: { 'events.view': true }, isRevoked: false } },
      );
    };
    const access = new LastingAccess({ findAll } as never, {} as never);
    const check = (sid: string) =>
      access.permissionsNow(caller(sid), { scheme: 'bearerAuth', permissions: ['events.view'] });
    const checks = ['one', 'two', 'gone', 'three'].map((sid) => check(sid));
    first.resolve();
    const results = await Promise.allSettled(checks);
    expect(asked).toEqual([['one'], ['two', 'gone', 'three']]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('fail together where the query fails, and are asked for again', async () => {
    const findAll = jest
      .fn(() =>
        Promise.resolve([
          { kind: 'user', license: { id: 'l', permissions: { 'events.view': true }, isRevoked: false } },
        ]),
      )
      .mockRejectedValueOnce(unavailable());
    const access = new LastingAccess({ findAll } as never, {} as never);
    const check = () =>
      access.permissionsNow(caller('one'), { scheme: 'bearerAuth', permissions: ['events.view'] });
    await expect(check()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(check()).resolves.toEqual({ 'events.view': true });
  });
});
