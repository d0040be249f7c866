// Values over time, as charts take them.

export interface Series {
  key: string;
  name: string;
  /** A variable of the style sheet, such as `--page-accent`. */
  color: string;
  values: readonly (number | null)[];
  /** A thin line, for the extremes around a mean. */
  isFaint?: boolean;
}

export interface TimeChart {
  /** Milliseconds, ascending. */
  times: readonly number[];
  series: readonly Series[];
  format: (value: number) => string;
  /** The area between two series is filled: the upper one first. */
  band?: readonly [upper: string, lower: string];
  /** The vertical axis reaches at least this value, so that noise does not look like load. */
  minTop?: number;
  /** The vertical axis has no fractions, as for numbers of players. */
  isWhole?: boolean;
  /** Moments that vertical lines mark. */
  marks?: readonly TimeMark[];
}

export interface TimeMark {
  /** Milliseconds. */
  at: number;
  /** A variable of the style sheet. */
  color: string;
}

/** Puts a moment without values into each gap, so that no line is drawn across it. */
export function withGaps<Point>(
  points: readonly Point[],
  timeOf: (point: Point) => number,
  maxStepMs: number,
): { times: number[]; points: (Point | null)[] } {
  const times: number[] = [];
  const filled: (Point | null)[] = [];
  let last: number | null = null;
  for (const point of points) {
    const at = timeOf(point);
    if (last !== null && at - last > maxStepMs) {
      times.push(last + 1);
      filled.push(null);
    }
    times.push(at);
    filled.push(point);
    last = at;
  }
  return { times, points: filled };
}

export interface Summary {
  low: number;
  high: number;
  mean: number;
}

export function summaryOf(values: readonly (number | null)[]): Summary | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return {
    low: Math.min(...known),
    high: Math.max(...known),
    mean: known.reduce((sum, value) => sum + value, 0) / known.length,
  };
}
