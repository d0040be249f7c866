// Measures the host and game processes without delaying heartbeats; a late measurement leaves the previous figures.
import { freemem, totalmem } from 'node:os';
import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import si from 'systeminformation';
import { pause } from './backoff.ts';
import type { HostMetrics } from './messages.ts';
import type { ProcessHost, ProcessUsage } from './supervisor/process-host.ts';

export interface ProcessMetrics {
  cpuPercent?: number;
  memoryBytes: number;
}

interface Sample {
  atMs: number;
  host: HostMetrics;
  usage: Map<number, ProcessUsage>;
  processes: Map<number, ProcessMetrics>;
}

const timeLimitMs = 1_500;
const minIntervalMs = 500;

export class Metrics {
  readonly #stateDirectory: string;
  readonly #host: ProcessHost;
  readonly #log: Logger;
  #sample: Sample;
  #measuring: Promise<void> | null = null;

  constructor(stateDirectory: string, host: ProcessHost, log: Logger) {
    this.#stateDirectory = stateDirectory;
    this.#host = host;
    this.#log = log;
    this.#sample = { atMs: 0, host: unmeasured(), usage: new Map(), processes: new Map() };
    void this.read([]); // the first reading takes longer than any other
  }

  /** Returns the latest figures. Measures first unless they are fresh, and waits for that only up to the time limit. */
  async read(pids: number[]): Promise<{ host: HostMetrics; processes: Map<number, ProcessMetrics> }> {
    const isFresh = performance.now() - this.#sample.atMs < minIntervalMs && this.#sample.atMs > 0;
    if (!isFresh) {
      this.#measuring ??= this.#measure(pids)
        .catch((error: unknown) => this.#log.warn({ err: error }, 'the host cannot be measured'))
        .finally(() => (this.#measuring = null));
      await Promise.race([this.#measuring, pause(timeLimitMs)]);
    }
    return this.#sample;
  }

  async #measure(pids: number[]): Promise<void> {
    const [load, memory, disk, usage] = await Promise.all([
      si.currentLoad(),
      si.mem(),
      statfs(this.#stateDirectory), // reads one filesystem, without starting a process
      this.#host.usage(pids),
    ]);
    const atMs = performance.now();
    const seconds = (atMs - this.#sample.atMs) / 1000;
    const processes = new Map<number, ProcessMetrics>();
    for (const [pid, now] of usage)
      processes.set(pid, processMetrics(now, this.#sample.usage.get(pid), seconds));
    this.#sample = {
      atMs,
      host: {
        cpu_percent: rounded(Math.min(100, Math.max(0, load.currentLoad))),
        memory_used_bytes: bytes(memory.total - memory.available),
        memory_total_bytes: bytes(memory.total),
        disk_used_bytes: bytes((disk.blocks - disk.bfree) * disk.bsize),
        disk_total_bytes: bytes(disk.blocks * disk.bsize),
      },
      usage,
      processes,
    };
  }
}

function processMetrics(
  now: ProcessUsage,
  before: ProcessUsage | undefined,
  seconds: number,
): ProcessMetrics {
  const memoryBytes = bytes(now.memoryBytes);
  if (now.cpuPercent !== null) return { cpuPercent: rounded(Math.max(0, now.cpuPercent)), memoryBytes };
  if (now.cpuSeconds === null || before === undefined || before.cpuSeconds === null) return { memoryBytes };
  const percent = ((now.cpuSeconds - before.cpuSeconds) / seconds) * 100;
  return { cpuPercent: rounded(Math.min(102_400, Math.max(0, percent))), memoryBytes };
}

function unmeasured(): HostMetrics {
  return {
    cpu_percent: 0,
    memory_used_bytes: totalmem() - freemem(),
    memory_total_bytes: totalmem(),
    disk_used_bytes: 0,
    disk_total_bytes: 0,
  };
}

function rounded(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 10) / 10 : 0;
}

function bytes(value: number): number {
  return Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0;
}
