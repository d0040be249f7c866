// What is typed into a search field of the panel stays, however late the address follows.
import { SentSearches } from '../../../panel/src/shared/sent-searches.ts';

let sent: SentSearches;

beforeEach(() => {
  sent = new SentSearches();
});

it('knows its own searches when they arrive late', () => {
  sent.send('ab');
  sent.send('abc');
  expect(sent.latest).toBe('abc');
  expect([sent.arrive('ab'), sent.arrive('abc')]).toEqual([true, true]);
  expect(sent.latest).toBeUndefined();
});

it('forgets those that the address has skipped', () => {
  sent.send('ab');
  sent.send('abc');
  expect(sent.arrive('abc')).toBe(true);
  expect(sent.arrive('ab')).toBe(false);
});

it('takes every other search as one of the back button or a link', () => {
  sent.send('ab');
  expect(sent.arrive('from a link')).toBe(false);
  expect(sent.latest).toBeUndefined();
  expect(sent.arrive('ab')).toBe(false);
});
