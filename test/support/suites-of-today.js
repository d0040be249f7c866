// The exhaustive suites of a run: a share of them, another one each day.
import { dayOfSamples } from './sample.ts';
import { slowSuites } from './slow-suites.js';

const shareCount = 5;

/** Of these, paths from the root. Shares take equally long, because slow suites are dealt out first; `daily` are in each. */
export function suitesOfToday(suites, daily) {
  const day = dayOfSamples();
  if (day === 'all') return suites;
  const slowness = (suite) => slowSuites.indexOf(suite) + 1 || slowSuites.length + 1;
  const dealt = suites
    .filter((suite) => !daily.includes(suite))
    .toSorted((one, other) => slowness(one) - slowness(other) || (one < other ? -1 : 1));
  return [...daily, ...dealt.filter((_suite, index) => index % shareCount === day % shareCount)];
}
