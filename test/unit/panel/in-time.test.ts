// How the panel gives up readings that get no response.
import { inTime } from '../../../panel/src/api/in-time.ts';
import { isUnreachable } from '../../../panel/src/api/unreachable.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** A connection that nothing arrives on. */
const silent = ({ signal }: Request) =>
  new Promise<Response>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

const url = 'http://localhost/api/fleet/instances';

it('gives up a reading after a minute, as if the platform could not be reached', async () => {
  const outcome = inTime(silent)(new Request(url)).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(isUnreachable(await outcome)).toBe(true);
});

it('ends a reading that its caller gives up', async () => {
  const left = new AbortController();
  const outcome = inTime(silent)(new Request(url, { signal: left.signal })).catch((error: unknown) => error);
  left.abort(new Error('left'));
  expect(await outcome).toEqual(new Error('left'));
});

it('lets a body take its time, and waits for a change as long as it takes', async () => {
  let signal: AbortSignal | undefined;
  const reply = (request: Request) => {
    signal = request.signal;
    return Promise.resolve(new Response('lines'));
  };
  await inTime(reply)(new Request(url));
  const change = new Request(url, { method: 'POST' });
  const outcomes: unknown[] = [];
  inTime(silent)(change).then(
    () => outcomes.push('reply'),
    (error: unknown) => outcomes.push(error),
  );
  await jest.advanceTimersByTimeAsync(600_000);
  expect([signal?.aborted, outcomes]).toEqual([false, []]);
});
