// How tabs of the panel share one event stream, and what they learn of events that were lost.
import {
  EventCursorExpired,
  type EventStreamOptions,
  type StreamedEvent,
} from '../../../client/src/index.ts';
import { follow, type Following, type Locks } from '../../../panel/src/live/following.ts';

/** One at a time, in the order of their requests. */
class Queue implements Locks {
  #last: Promise<unknown> = Promise.resolve();

  request(_name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(() => (signal.aborted ? undefined : work()));
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** The streams that tabs have opened, as the platform sees them. */
class Platform {
  readonly streams: Stream[] = [];
  #waiting: (() => void)[] = [];

  open = (options: EventStreamOptions): AsyncIterable<StreamedEvent> => {
    const stream = new Stream(options);
    this.streams.push(stream);
    for (const resume of this.#waiting.splice(0)) resume();
    return stream.events();
  };

  get openCount(): number {
    return this.streams.filter(({ isOpen }) => isOpen).length;
  }

  async stream(number: number): Promise<Stream> {
    for (;;) {
      const found = this.streams[number];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

class Stream {
  isOpen = true;
  readonly cursor: string | undefined;
  readonly #options: EventStreamOptions;
  #outcome = Promise.withResolvers<StreamedEvent>();
  #queue = [this.#outcome.promise];

  constructor(options: EventStreamOptions) {
    this.cursor = options.cursor;
    this.#options = options;
    options.signal?.addEventListener('abort', () => this.fail(new Error('aborted')));
  }

  async *events(): AsyncGenerator<StreamedEvent> {
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) yield await next;
    } finally {
      this.isOpen = false;
    }
  }

  ready(cursor: string): void {
    this.#options.onReady?.(cursor);
  }

  send(cursor: string): void {
    const { resolve } = this.#outcome;
    this.#outcome = Promise.withResolvers();
    this.#queue.push(this.#outcome.promise);
    resolve({ type: 'instance.started', cursor, event: {} });
  }

  fail(error: Error): void {
    // The stream may not be read any more.
    this.#outcome.promise.catch(() => undefined);
    this.#outcome.reject(error);
  }
}

const platforms = new Set<AbortController>();

afterEach(() => {
  for (const left of platforms) left.abort();
  platforms.clear();
});

/** A tab, with what it received in that order. */
function openTab(platform: Platform, locks: Locks | undefined, licenseId: string) {
  const left = new AbortController();
  platforms.add(left);
  const received: string[] = [];
  let heard = Promise.withResolvers<void>();
  const record = (what: string) => {
    received.push(what);
    heard.resolve();
    heard = Promise.withResolvers();
  };
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const position = { hasGap: false };
  const following: Following = {
    licenseId,
    position,
    open: platform.open,
    onEvent: ({ cursor }) => record(cursor),
    onGap: () => record('gap'),
    page,
    locks,
  };
  const ended = follow(following, left.signal);
  const show = (visibilityState: string) => {
    page.visibilityState = visibilityState;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  /** Resolves when it has received so many. */
  const untilReceived = async (count: number) => {
    while (received.length < count) await heard.promise;
  };
  const leave = () => {
    left.abort();
    return ended;
  };
  return { received, untilReceived, show, leave, position };
}

it('shares one stream, and reports lost events to every tab once they can be read', async () => {
  const platform = new Platform();
  const locks = new Queue();
  const leader = openTab(platform, locks, 'shared');
  const follower = openTab(platform, locks, 'shared');
  const first = await platform.stream(0);
  first.ready('1');
  first.send('2');
  await Promise.all([leader.untilReceived(1), follower.untilReceived(1)]);

  first.fail(new EventCursorExpired('expired'));
  const second = await platform.stream(1);
  expect(second.cursor).toBeUndefined();
  // What is read now could lack what happens before the stream is open.
  expect(leader.received).toEqual(['2']);
  second.ready('7');
  second.send('8');
  await Promise.all([leader.untilReceived(3), follower.untilReceived(3)]);
  expect([leader.received, follower.received]).toEqual([
    ['2', 'gap', '8'],
    ['2', 'gap', '8'],
  ]);
  expect(platform.openCount).toBe(1);
});

it('continues in another tab where the former one ended, also before the first event', async () => {
  const platform = new Platform();
  const locks = new Queue();
  const leader = openTab(platform, locks, 'continued');
  const first = await platform.stream(0);
  first.ready('1');
  const follower = openTab(platform, locks, 'continued');
  first.send('2');
  await follower.untilReceived(1);
  const late = openTab(platform, locks, 'continued');
  first.send('3');
  await late.untilReceived(1);
  await leader.leave();
  const second = await platform.stream(1);
  expect(second.cursor).toBe('3');
  second.ready('3');
  await follower.leave();
  expect((await platform.stream(2)).cursor).toBe('3');
  expect(platform.openCount).toBe(1);
  expect([leader.received, follower.received, late.received]).toEqual([['2', '3'], ['2', '3'], ['3']]);
});

it('has every tab read again at an interval while the stream is refused', async () => {
  jest.useFakeTimers();
  try {
    const platform = new Platform();
    const locks = new Queue();
    const leader = openTab(platform, locks, 'refused');
    const follower = openTab(platform, locks, 'refused');
    for (const number of [0, 1]) {
      (await platform.stream(number)).fail(new Error('403'));
      while (leader.received.length <= number) await jest.advanceTimersByTimeAsync(30_000);
      await Promise.all([leader.untilReceived(number + 1), follower.untilReceived(number + 1)]);
    }
    (await platform.stream(2)).ready('5');
    await Promise.all([leader.untilReceived(3), follower.untilReceived(3)]);
    expect([leader.received, follower.received]).toEqual([
      ['gap', 'gap', 'gap'],
      ['gap', 'gap', 'gap'],
    ]);
  } finally {
    jest.useRealTimers();
  }
});

it('ends the stream of a hidden tab where there are no locks, and continues it when the tab is shown', async () => {
  const platform = new Platform();
  const [hidden, shown] = [openTab(platform, undefined, 'plain'), openTab(platform, undefined, 'plain')];
  const first = await platform.stream(0);
  first.ready('1');
  first.send('2');
  await hidden.untilReceived(1);
  hidden.show('hidden');
  while (first.isOpen) await new Promise(setImmediate);
  expect(platform.openCount).toBe(1);
  (await platform.stream(1)).send('3');
  await shown.untilReceived(1);
  hidden.show('visible');
  const third = await platform.stream(2);
  expect(third.cursor).toBe('2');
  third.send('3');
  await hidden.untilReceived(2);
  expect([hidden.received, shown.received]).toEqual([['2', '3'], ['3']]);
});

it('reports a gap that it learned of before the tab was hidden', async () => {
  const platform = new Platform();
  const tab = openTab(platform, undefined, 'gap');
  (await platform.stream(0)).fail(new EventCursorExpired('expired'));
  await platform.stream(1);
  tab.show('hidden');
  tab.show('visible');
  (await platform.stream(2)).ready('9');
  expect(tab.received).toEqual(['gap']);
  expect(tab.position).toEqual({ cursor: '9', hasGap: false });
});
