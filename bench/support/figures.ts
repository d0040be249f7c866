// Medians and their output.

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

/** Reports a missed aim, and makes the program fail at its end. */
export function refuseMissed(isMissed: boolean): void {
  if (!isMissed) return;
  console.log('  MISSED');
  process.exitCode = 1;
}

/** Prints our value, the baseline's, and the ratio of each pair of rounds; the median decides. */
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
