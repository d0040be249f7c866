// Queries that cost much are read once in a pause, and the last change is not lost.
import { environmentManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { seldom } from '../../../panel/src/api/seldom.ts';

const pauseMs = 60_000;

beforeAll(() => {
  // Without a window it does not repeat readings.
  environmentManager.setIsServer(() => false);
});

afterEach(() => {
  jest.useRealTimers();
});

it('reads once in a pause, and again after the last change', async () => {
  jest.useFakeTimers();
  const queries = new QueryClient();
  let count = 0;
  const observer = new QueryObserver(queries, {
    queryKey: ['orders'],
    ...seldom(pauseMs, () => Promise.resolve((count += 1))),
  });
  const end = observer.subscribe(() => undefined);
  await jest.advanceTimersByTimeAsync(0);
  expect(observer.getCurrentResult().data).toBe(1);
  for (let event = 0; event < 5; event += 1) {
    await jest.advanceTimersByTimeAsync(1_000);
    await queries.invalidateQueries({ queryKey: ['orders'] });
  }
  expect(count).toBe(1);
  await jest.advanceTimersByTimeAsync(pauseMs);
  expect(observer.getCurrentResult().data).toBe(2);
  await jest.advanceTimersByTimeAsync(10 * pauseMs);
  expect(count).toBe(2);
  end();
  queries.clear();
});
