// Median and print-out of what was measured.

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** The value that this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? NaN;
}

export interface Comparison {
  name: string;
  baseline: string;
  unit: string;
  ours: number[];
  theirs: number[];
  aim: string;
}

/** Says so where an aim was missed, and has the program fail for it once it is done. */
export function refuseMissed(isMissed: boolean): void {
  if (!isMissed) return;
  console.log('  MISSED');
  process.exitCode = 1;
}

/** Prints ours, the baseline's, and the ratio of each pair of rounds; the median counts. */
export function printComparison({ name, baseline, unit, ours, theirs, aim }: Comparison): void {
  const ratios = ours.map((value, index) => value / (theirs[index] ?? NaN));
  const figure = (values: number[]) =>
    `${Math.round(median(values)).toLocaleString('en')} ${unit} (${values.map((value) => Math.round(value)).join(', ')})`;
  console.log(`\n${name}`);
  console.log(`  ours       ${figure(ours)}`);
  console.log(`  baseline   ${figure(theirs)}   ${baseline}`);
  console.log(
    `  ratio      ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})   aim ${aim}`,
  );
  const [, sign, bound] = /^([≥≤]) ([\d.]+)/.exec(aim) ?? [];
  if (bound === undefined) return;
  const isMet = sign === '≥' ? median(ratios) >= Number(bound) : median(ratios) <= Number(bound);
  refuseMissed(!isMet);
}
