// A chart of values over time. Its colours are those of the style sheet, also after the scheme has changed.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import classes from './series-plot.module.css';
import type { TimeChart, TimeMark } from './series.ts';

export interface SeriesPlotProps {
  chart: TimeChart;
  /** What the chart shows, for people who do not see it. */
  summary: string;
  /** Of dates and times, such as `en`; undefined for that of the browser. */
  locale: string | undefined;
  /** Charts with the same key share their cursor. */
  cursor: string;
  /** Milliseconds. */
  from: number;
  to: number;
  /** A moment was chosen. */
  onPick?: ((at: number) => void) | undefined;
}

const height = 200;
const dayS = 86_400;

/** Distances of the lines on an axis without fractions. */
const wholeSteps = [1, 2, 5]
  .flatMap((digit) => [0, 1, 2, 3, 4, 5, 6].map((power) => digit * 10 ** power))
  .toSorted((one, other) => one - other);

const colorOf = (variable: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(variable).trim();

const dataOf = ({ times, series }: TimeChart): uPlot.AlignedData => [
  times.map((ms) => ms / 1_000),
  ...series.map(({ values }) => [...values]),
];

export function SeriesPlot(props: SeriesPlotProps) {
  const { chart, summary, locale } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  // New values do not need a new chart.
  const shape = JSON.stringify([
    chart.series.map(({ key, name, color }) => [key, name, color]),
    chart.band,
    locale,
    props.cursor,
  ]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const made = new uPlot(
      optionsOf(latest, locale, element.clientWidth),
      dataOf(latest.current.chart),
      element,
    );
    plot.current = made;
    const pick = () => {
      const { idx } = made.cursor;
      const at = typeof idx === 'number' ? made.data[0][idx] : undefined;
      if (at !== undefined) latest.current.onPick?.(at * 1_000);
    };
    made.over.addEventListener('click', pick);
    const sizes = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    sizes.observe(element);
    const schemes = new MutationObserver(() => made.redraw());
    schemes.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
    return () => {
      schemes.disconnect();
      sizes.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape, locale]);
  useEffect(() => {
    const made = plot.current;
    made?.setData(dataOf(chart));
    if (made !== null && typeof made.cursor.idx !== 'number') made.setLegend({}, false);
  }, [chart, props.from, props.to]);
  return (
    <div
      ref={box}
      className={classes.plot}
      role="img"
      aria-label={summary}
      data-picks={props.onPick !== undefined || undefined}
    />
  );
}

function optionsOf(
  latest: { current: SeriesPlotProps },
  locale: string | undefined,
  width: number,
): uPlot.Options {
  const { chart, cursor } = latest.current;
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const format = (value: number | null | undefined) =>
    typeof value === 'number' ? latest.current.chart.format(value) : '–';
  const axis: uPlot.Axis = {
    stroke: () => colorOf('--mantine-color-dimmed'),
    grid: { stroke: () => colorOf('--page-border'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  const indexOf = (key: string) => chart.series.findIndex((each) => each.key === key) + 1;
  return {
    width,
    height,
    cursor: { sync: { key: cursor }, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { range: () => [latest.current.from / 1_000, latest.current.to / 1_000] },
      y: { range: (_, low, high) => rangeOf(low, high, chart.minTop) },
    },
    axes: [
      {
        ...axis,
        size: 30,
        space: 80,
        values: (_, splits, __, ___, step) => splits.map(tickOf(locale, step)),
      },
      {
        ...axis,
        size: 58,
        values: (_, splits) => splits.map(format),
        ...(chart.isWhole === true && { incrs: wholeSteps }),
      },
    ],
    series: [
      { label: '', value: (_, at) => (typeof at === 'number' ? moment.format(at * 1_000) : '') },
      ...chart.series.map(({ name, color, isFaint = false }): uPlot.Series => ({
        label: name,
        stroke: () => (isFaint ? `${colorOf(color)}88` : colorOf(color)),
        width: isFaint ? 1 : 2,
        // A value without neighbours has no line.
        points: {
          show: true,
          size: 5,
          fill: () => colorOf(color),
          filter: (made, index) => lonelyIn(made.data[index] ?? []),
        },
        // Without a cursor, the latest value.
        value: (made, value, index, at) =>
          format(typeof at === 'number' ? value : latestOf(made.data[index])),
      })),
    ],
    legend: {
      markers: {
        width: 0,
        fill: (_, index) => `var(${chart.series[index - 1]?.color ?? '--page-border'})`,
      },
    },
    hooks: { draw: [(made) => drawMarks(made, latest.current.chart.marks ?? [])] },
    ...(chart.band !== undefined && {
      bands: [
        {
          series: [indexOf(chart.band[0]), indexOf(chart.band[1])],
          fill: () => `${colorOf(chart.series[0]?.color ?? '--page-accent')}22`,
        },
      ],
    }),
  };
}

const latestOf = (values: uPlot.AlignedData[number] | undefined): number | null =>
  Array.from(values ?? []).findLast((value) => typeof value === 'number') ?? null;

/** Dashed lines from top to bottom, in the pixels of the device. */
function drawMarks(made: uPlot, marks: readonly TimeMark[]): void {
  const { ctx, bbox } = made;
  ctx.save();
  ctx.lineWidth = Math.max(1, devicePixelRatio);
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { at, color } of marks) {
    const x = Math.round(made.valToPos(at / 1_000, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = colorOf(color);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

/** From zero, with some room above. */
/** The places of values between two gaps. */
function lonelyIn(values: ArrayLike<number | null | undefined>): number[] {
  const isGap = (index: number) => typeof values[index] !== 'number';
  return Array.from(values, (_, index) => index).filter(
    (index) => !isGap(index) && isGap(index - 1) && isGap(index + 1),
  );
}

function rangeOf(low: number | null, high: number | null, minTop = 0): uPlot.Range.MinMax {
  const top = Math.max(high ?? 1, minTop);
  return [Math.min(0, low ?? 0), top <= 0 ? 1 : top * 1.1];
}

/** Days at midnight, otherwise the time of day. */
function tickOf(locale: string | undefined, step: number): (at: number) => string {
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
  return (at) => {
    const date = new Date(at * 1_000);
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
    return step >= dayS || isMidnight ? day.format(date) : clock.format(date);
  };
}
