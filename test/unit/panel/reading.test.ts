// How often the panel reads again what no event reports.
import { withBackOff } from '../../../panel/src/api/back-off.ts';

const everyMs = 15_000;
const now = Date.parse('2026-11-27T03:00:00Z');

beforeEach(() => {
  jest.spyOn(Date, 'now').mockReturnValue(now);
});

afterEach(() => {
  jest.restoreAllMocks();
});

it.each([
  ['success', 0, everyMs],
  ['success', 600_000, everyMs],
  ['error', 15_000, everyMs],
  ['error', 30_000, 30_000],
  ['error', 60_000, 60_000],
  ['error', 600_000, 8 * everyMs],
])('waits with status %s, %d ms after the last data, %d ms', (status, sinceMs, expected) => {
  expect(withBackOff(everyMs)({ state: { status, dataUpdatedAt: now - sinceMs } })).toBe(expected);
});

it('waits longest where nothing could be read at all', () => {
  expect(withBackOff(everyMs)({ state: { status: 'error', dataUpdatedAt: 0 } })).toBe(8 * everyMs);
});
