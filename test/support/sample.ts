// A sample of many like cases for the gate, another one each day; `npm run soak` runs all of them.

const dayMs = 86_400_000;
const maxLabels = 20;

/** The number that chooses samples: that of the day, unless GANTRY_TEST_SAMPLES names another one, or `all`. */
export function dayOfSamples(): number | 'all' {
  const { GANTRY_TEST_SAMPLES: chosen = Math.floor(Date.now() / dayMs) } = process.env;
  return chosen === 'all' ? chosen : Number(chosen);
}

/** One of `step` cases, at least one. Prints which, so that a failure can be repeated. */
export function sampleOf<Case>(
  name: string,
  cases: readonly Case[],
  { step, labelOf }: { step: number; labelOf: (one: Case) => string },
): Case[] {
  const day = dayOfSamples();
  if (day === 'all') return [...cases];
  const every = Math.min(step, cases.length);
  const sample = cases.filter((_, index) => index % every === day % every);
  const labels = sample.length > maxLabels ? `${sample.length} of them` : sample.map(labelOf).join(', ');
  process.stdout.write(`SAMPLE of ${name} (GANTRY_TEST_SAMPLES=${day}): ${labels}\n`);
  return sample;
}
