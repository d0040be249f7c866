// The metrics of a platform, beside another one in the same process.
import v8 from 'node:v8';
import { Registry } from 'prom-client';
import { Metrics } from '../../src/process/metrics.ts';

/** How many objects of that class are still in use. */
const countOf = (constructor: object): number =>
  (v8 as unknown as { queryObjects: (of: unknown, options: object) => number }).queryObjects(constructor, {
    format: 'count',
  });

it('include those of the process, for each platform', async () => {
  const texts = await Promise.all([new Metrics().text(), new Metrics().text()]);
  for (const text of texts) {
    expect(text.match(/^# TYPE process_cpu_seconds_total counter$/gm)).toHaveLength(1);
    expect(text.match(/^# TYPE gantry_http_request_seconds histogram$/gm)).toHaveLength(1);
  }
});

it('of a stopped platform are not kept in memory', () => {
  const before = countOf(Registry);
  for (let index = 0; index < 20; index += 1) new Metrics().watchLog(() => 0);
  expect(countOf(Registry)).toBeLessThan(before + 5);
});
