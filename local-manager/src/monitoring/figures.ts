// Reads the use of the virtual machine and of its pods from what its own programs print.
import { gigabytes, numberOf } from '../parsing.ts';

/** Counters of the processors since the machine's start, in its own unit. */
export interface CpuCounters {
  total: number;
  idle: number;
}

export interface Capacity {
  usedGB: number | null;
  totalGB: number | null;
}

export interface PodUse {
  cpuCores: number | null;
  memoryGB: number | null;
}

const unknown: Capacity = { usedGB: null, totalGB: null };
const bytesOfKB = 1024;

/** The line `cpu` of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal; guests count within user. */
export function cpuCountersIn(line: string): CpuCounters | null {
  const [name, ...counters] = line.trim().split(/\s+/);
  const numbers = counters.slice(0, 8).map(Number);
  if (name !== 'cpu' || numbers.length < 5 || numbers.some((each) => !Number.isFinite(each))) return null;
  return { total: numbers.reduce((sum, each) => sum + each, 0), idle: (numbers[3] ?? 0) + (numbers[4] ?? 0) };
}

/** Use between two looks, from 0 to 100; null after a restart, which begins the counters again. */
export function cpuPercentBetween(before: CpuCounters | null, after: CpuCounters | null): number | null {
  if (before === null || after === null) return null;
  const total = after.total - before.total;
  const idle = after.idle - before.idle;
  if (total <= 0 || idle < 0) return null;
  return Math.round(Math.min(1, Math.max(0, 1 - idle / total)) * 1_000) / 10;
}

/** Lines of /proc/meminfo. What the kernel could free at once does not count as used. */
export function memoryIn(text: string): Capacity {
  const found = (name: string) => {
    const value = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1];
    return value === undefined ? null : Number(value) * bytesOfKB;
  };
  const [total, available] = [found('MemTotal'), found('MemAvailable')];
  return total === null || available === null
    ? unknown
    : { usedGB: gigabytes(total - available), totalGB: gigabytes(total) };
}

/** The line of a file system that `df -P -k` prints; its name may contain spaces. */
export function diskIn(line: string): Capacity {
  const [, total, used] = /\s(\d+)\s+(\d+)\s+\d+\s+\d+%\s+\S+$/.exec(line.trim()) ?? [];
  return total === undefined || used === undefined
    ? unknown
    : { usedGB: gigabytes(Number(used) * bytesOfKB), totalGB: gigabytes(Number(total) * bytesOfKB) };
}

/** What `kubectl top pods` prints: name, processors, memory. */
export function podUsesIn(text: string): Map<string, PodUse> {
  return new Map(
    text
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((words) => words.length >= 3)
      .map(([name = '', cpu = '', memory = '']): [string, PodUse] => [
        name,
        { cpuCores: coresOf(cpu), memoryGB: gigabytes(bytesIn(memory)) },
      ]),
  );
}

const cpuUnits = { n: 1e-9, u: 1e-6, m: 1e-3, '': 1 } as const;
const memoryUnits = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
} as const;

function coresOf(quantity: string): number | null {
  const value = valueOf(quantity, cpuUnits);
  return value === null ? null : Math.round(value * 1_000) / 1_000;
}

const bytesIn = (quantity: string): number | null => valueOf(quantity, memoryUnits);

function valueOf(quantity: string, units: Readonly<Record<string, number>>): number | null {
  const [, figure = '', unit = ''] = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(quantity) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return figure === '' || factor === undefined ? null : numberOf(Number(figure) * factor);
}
