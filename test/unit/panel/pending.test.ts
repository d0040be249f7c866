// The panel follows what is being sent closely only while its outcome is near.
import { isOutcomeNear } from '../../../panel/src/api/pending.ts';

const now = Date.parse('2026-11-28T10:00:00Z');
const at = (seconds: number) => new Date(now + seconds * 1_000).toISOString();

it.each([
  ['a new one', { created_at: at(-5), next_attempt_at: null }, true],
  ['one whose attempt is due', { created_at: at(-30_000), next_attempt_at: at(-2) }, true],
  ['one whose attempt is near', { created_at: at(-30_000), next_attempt_at: at(5) }, true],
  ['one that is tried again in hours', { created_at: at(-30), next_attempt_at: at(7_200) }, false],
  ['one that is long overdue', { created_at: at(-30_000), next_attempt_at: at(-600) }, false],
  ['an old one without another attempt', { created_at: at(-600), next_attempt_at: null }, false],
])('%s', (_, times, isNear) => {
  expect(isOutcomeNear({ status: 'pending', ...times }, now)).toBe(isNear);
  expect(isOutcomeNear({ status: 'succeeded', ...times }, now)).toBe(false);
});
