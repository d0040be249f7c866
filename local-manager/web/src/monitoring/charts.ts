// The recorded figures as charts.
import { withGaps, type Series, type TimeChart, type TimeMark } from '@gantry/ui/series.ts';
import type { Schemas } from '../api/client.ts';

type Monitoring = Schemas['Monitoring'];
type ServerPoint = Schemas['ServerPoint'];
type Figure = 'players' | 'cpuCores' | 'memoryGB';

const colors = [
  '--page-accent',
  '--mantine-color-blue-6',
  '--mantine-color-teal-6',
  '--mantine-color-grape-6',
  '--mantine-color-cyan-6',
  '--mantine-color-pink-6',
  '--mantine-color-lime-7',
  '--mantine-color-indigo-6',
];

const colorAt = (index: number): string => colors[index % colors.length] ?? '--page-accent';

/** Two points are this many steps apart at most; beyond that something was not recorded. */
const gapSteps = 2.5;

const gapMs = ({ stepSeconds }: Monitoring): number => stepSeconds * gapSteps * 1_000;

export const wholeNumber = (value: number): string => String(Math.round(value));
export const gigabytesText = (value: number): string =>
  `${value < 10 ? value.toFixed(1) : Math.round(value)} GB`;
export const percentText = (value: number): string => `${Math.round(value)} %`;
export const coresText = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

const markColors: Record<Schemas['MonitoringMark']['kind'], string> = {
  machineStarted: '--mantine-color-blue-6',
  machineStopped: '--mantine-color-gray-6',
  serverStarted: '--mantine-color-blue-6',
  serverStopped: '--mantine-color-gray-6',
  serverRestarted: '--mantine-color-blue-6',
  serverCrashed: '--mantine-color-red-6',
};

export const marksOf = ({ marks }: Monitoring): TimeMark[] =>
  marks.map(({ at, kind }) => ({ at: Date.parse(at), color: markColors[kind] }));

interface MachineLine {
  key: string;
  name: string;
  of: (point: Schemas['MachinePoint']) => number | null;
  isFaint?: boolean;
}

/** One line for each figure of the machine. */
export function machineChart(
  monitoring: Monitoring,
  format: TimeChart['format'],
  lines: readonly MachineLine[],
): TimeChart {
  const { times, points } = withGaps(monitoring.machine, ({ at }) => Date.parse(at), gapMs(monitoring));
  const series = lines.map(({ key, name, of, isFaint = false }, index): Series => ({
    key,
    name,
    isFaint,
    color: isFaint ? '--mantine-color-gray-6' : colorAt(index),
    values: points.map((point) => (point === null ? null : of(point))),
  }));
  return { times, series, format, marks: marksOf(monitoring) };
}

/** One line for each game server. */
export function serverChart(monitoring: Monitoring, format: TimeChart['format'], figure: Figure): TimeChart {
  const known = new Map(
    monitoring.servers.map(({ server, points }): [string, Map<string, ServerPoint>] => [
      server,
      new Map(points.map((point) => [point.at, point])),
    ]),
  );
  const moments = [
    ...new Set(monitoring.servers.flatMap(({ points }) => points.map(({ at }) => at))),
  ].toSorted();
  const { times, points } = withGaps(moments, Date.parse, gapMs(monitoring));
  const series = [...known].map(([server, byTime], index): Series => ({
    key: server,
    name: server,
    color: colorAt(index),
    values: points.map((at) => (at === null ? null : (byTime.get(at)?.[figure] ?? null))),
  }));
  return { times, series, format, marks: marksOf(monitoring) };
}
