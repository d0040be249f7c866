// How the panel reads again what has changed: a reading that is under way ends, and is followed by one more.
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { readToEnd, rereader } from '../../../panel/src/api/rereading.ts';

const key = ['/api/fleet/instances', {}];
const ofServers = ([path]: readonly unknown[]) => path === '/api/fleet/instances';

let queries: QueryClient;
let left: AbortController;
let page: EventTarget & { visibilityState: string };

beforeEach(() => {
  jest.useFakeTimers();
  queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  left = new AbortController();
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
});

afterEach(() => {
  left.abort();
  queries.clear();
  jest.useRealTimers();
});

/** Readings that end when the test says so. */
function readings<Reply>() {
  const begun: { signal: AbortSignal; end: (reply: Reply) => void; fail: (error: Error) => void }[] = [];
  const read = ({ signal }: { signal: AbortSignal }) =>
    new Promise<Reply>((resolve, reject) => begun.push({ signal, end: resolve, fail: reject }));
  return { begun, read };
}

/** Longer than changes are gathered; no matter what they cause has begun then. */
const settle = () => jest.advanceTimersByTimeAsync(1_000);

it('reads what is shown once for changes that arrive together', async () => {
  const { begun, read } = readings<string>();
  new QueryObserver(queries, { queryKey: key, queryFn: read }).subscribe(() => undefined);
  begun[0]?.end('running');
  await settle();
  const reread = rereader(queries, page, left.signal);
  for (let count = 0; count < 5; count += 1) reread(ofServers);
  reread(([path]) => path === '/api/fleet/hosts');
  await settle();
  expect(begun).toHaveLength(2);
});

it.each([
  ['first', false],
  ['second', true],
])('lets the %s reading end while changes arrive, and reads again', async (_which, wasRead) => {
  const { begun, read } = readings<string>();
  const observer = new QueryObserver(queries, { queryKey: key, queryFn: read });
  observer.subscribe(() => undefined);
  if (wasRead) {
    begun.shift()?.end('stopped');
    await settle();
    void observer.refetch();
  }
  const reread = rereader(queries, page, left.signal);
  for (let count = 0; count < 5; count += 1) {
    reread(ofServers);
    await settle();
  }
  expect(begun.map(({ signal }) => signal.aborted)).toEqual([false]);
  begun[0]?.end('starting');
  await settle();
  expect(observer.getCurrentResult().data).toBe('starting');
  expect(begun).toHaveLength(2);
  begun[1]?.end('running');
  await settle();
  expect(observer.getCurrentResult().data).toBe('running');
  expect(begun).toHaveLength(2);
});

it('reads again after a reading that failed', async () => {
  const { begun, read } = readings<string>();
  new QueryObserver(queries, { queryKey: key, queryFn: read }).subscribe(() => undefined);
  rereader(queries, page, left.signal)(ofServers);
  await settle();
  begun[0]?.fail(new Error('cut off'));
  await settle();
  expect(begun).toHaveLength(2);
});

it('waits for the last page of a list that is read to its end', async () => {
  const { begun, read } = readings<{ next_cursor: string | null }>();
  const observer = new InfiniteQueryObserver(queries, {
    queryKey: key,
    queryFn: read,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    meta: readToEnd,
  });
  observer.subscribe(() => undefined);
  const reread = rereader(queries, page, left.signal);
  begun[0]?.end({ next_cursor: 'second' });
  reread(ofServers);
  await settle();
  expect(begun).toHaveLength(1);
  void observer.fetchNextPage();
  await settle();
  begun[1]?.end({ next_cursor: null });
  await settle();
  // From the first page on.
  expect(begun).toHaveLength(3);
  begun[2]?.end({ next_cursor: 'second' });
  await settle();
  begun[3]?.end({ next_cursor: null });
  await settle();
  expect(begun).toHaveLength(4);
  expect(observer.getCurrentResult().hasNextPage).toBe(false);
});

it('marks what is no longer shown as stale, also if its reading was given up', async () => {
  const { begun, read } = readings<string>();
  const show = () =>
    new QueryObserver(queries, { queryKey: key, queryFn: read, staleTime: 60_000 }).subscribe(
      () => undefined,
    );
  const leave = show();
  begun[0]?.end('running');
  await settle();
  const reread = rereader(queries, page, left.signal);
  reread(ofServers);
  await settle();
  reread(ofServers);
  leave();
  await settle();
  expect(begun).toHaveLength(2);
  show();
  await settle();
  expect(begun).toHaveLength(3);
});

it('reads nothing after the page is left', async () => {
  const { begun, read } = readings<string>();
  new QueryObserver(queries, { queryKey: key, queryFn: read }).subscribe(() => undefined);
  const reread = rereader(queries, page, left.signal);
  reread(ofServers);
  left.abort();
  begun[0]?.end('running');
  await settle();
  expect(begun).toHaveLength(1);
});

it('pauses between readings of a list of several pages, as long as the last one took', async () => {
  const { begun, read } = readings<{ next_cursor: string | null }>();
  const observer = new InfiniteQueryObserver(queries, {
    queryKey: key,
    queryFn: read,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    meta: readToEnd,
  });
  observer.subscribe(() => undefined);
  const reread = rereader(queries, page, left.signal);
  begun[0]?.end({ next_cursor: 'second' });
  await settle();
  void observer.fetchNextPage();
  await settle();
  begun[1]?.end({ next_cursor: null });
  await settle();
  reread(ofServers);
  await jest.advanceTimersByTimeAsync(2_000);
  await jest.advanceTimersByTimeAsync(3_000);
  begun[2]?.end({ next_cursor: 'second' });
  await jest.advanceTimersByTimeAsync(0);
  reread(ofServers);
  begun[3]?.end({ next_cursor: null });
  await jest.advanceTimersByTimeAsync(2_800);
  expect(begun).toHaveLength(4);
  await jest.advanceTimersByTimeAsync(2_600);
  expect(begun).toHaveLength(5);
});

it('reads nothing while the page is hidden, and once when it is shown', async () => {
  const { begun, read } = readings<string>();
  new QueryObserver(queries, { queryKey: key, queryFn: read }).subscribe(() => undefined);
  begun[0]?.end('running');
  await settle();
  const reread = rereader(queries, page, left.signal);
  page.visibilityState = 'hidden';
  for (let count = 0; count < 5; count += 1) {
    reread(ofServers);
    await settle();
  }
  expect(begun).toHaveLength(1);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(begun).toHaveLength(2);
});

it('reads no more after a reading that began after the change', async () => {
  const { begun, read } = readings<string>();
  const observer = new QueryObserver(queries, { queryKey: key, queryFn: read });
  observer.subscribe(() => undefined);
  begun[0]?.end('running');
  await settle();
  const reread = rereader(queries, page, left.signal);
  reread(ofServers);
  void observer.refetch();
  await settle();
  begun[1]?.end('stopped');
  await settle();
  expect(begun).toHaveLength(2);
});
