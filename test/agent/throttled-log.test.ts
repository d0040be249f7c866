// What repeats in the agent's log: once at first, then with reminders.
import { ThrottledLog } from '../../agent/src/log.ts';

const minuteMs = 60_000;

test('logs a text once, again when it changes, and as a reminder after a quarter of an hour', () => {
  const log = new ThrottledLog();
  const written: [string, object][] = [];
  const report = (text: string, atMs: number, topic = 'session') =>
    log.report(topic, text, (fields) => void written.push([text, fields]), atMs);
  for (let minute = 0; minute < 15; minute += 1) report('refused', minute * minuteMs);
  expect(written).toEqual([['refused', {}]]);
  report('refused', 15 * minuteMs);
  expect(written.slice(1)).toEqual([['refused', { repetitions: 15 }]]);
  report('away', 16 * minuteMs);
  report('away', 16 * minuteMs, 'bus');
  report('refused', 17 * minuteMs);
  expect(written.slice(2)).toEqual([
    ['away', {}],
    ['away', {}],
    ['refused', {}],
  ]);
});

test('logs a text again once it was settled', () => {
  const log = new ThrottledLog();
  let count = 0;
  const report = () => log.report('bus', 'away', () => (count += 1), 0);
  expect(log.settle('bus')).toBe(false);
  report();
  report();
  expect(log.settle('bus')).toBe(true);
  report();
  expect(count).toBe(2);
});
