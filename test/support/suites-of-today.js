// The exhaustive suites of a run: a share of them, another one each day.
import { dayOfSamples } from './sample.ts';
import { slowSuites } from './slow-suites.js';

const shareCount = 5;

/** Forth and back again, as teams are chosen, so that no share gets the slower one each time. */
function shareOf(index) {
  const place = index % shareCount;
  return Math.floor(index / shareCount) % 2 === 0 ? place : shareCount - 1 - place;
}

/** Of these, paths from the root. Shares take equally long, because slow suites are dealt out first; `daily` are in each. */
export function suitesOfToday(suites, daily) {
  const day = dayOfSamples();
  if (day === 'all') return suites;
  const slowness = (suite) => slowSuites.indexOf(suite) + 1 || slowSuites.length + 1;
  const dealt = suites
    .filter((suite) => !daily.includes(suite))
    .toSorted((one, other) => slowness(one) - slowness(other) || (one < other ? -1 : 1));
  return [...daily, ...dealt.filter((_suite, index) => shareOf(index) === day % shareCount)];
}
