// A sample of many like cases for the gate, another one each day; `npm run soak` runs all of them.

const dayMs = 86_400_000;

/** One of `step` cases, at least one. Prints which, so that a failure can be repeated. */
export function sampleOf<Case>(
  name: string,
  cases: readonly Case[],
  { step, labelOf }: { step: number; labelOf: (one: Case) => string },
): Case[] {
  if (process.env['GANTRY_TEST_SAMPLES'] === 'all') return [...cases];
  const day = Number(process.env['GANTRY_TEST_SAMPLES'] ?? Math.floor(Date.now() / dayMs));
  const every = Math.min(step, cases.length);
  const sample = cases.filter((_, index) => index % every === day % every);
  const labels = sample.map(labelOf).join(', ');
  process.stdout.write(`SAMPLE of ${name} (GANTRY_TEST_SAMPLES=${day}): ${labels}\n`);
  return sample;
}
