// Reports the host and its instances at the interval the platform asks for, and soon after something changed.
import { capabilitiesOf } from './capabilities.ts';
import type { PlatformClock } from './clock.ts';
import type { Heartbeat, InstanceReport } from './messages.ts';
import type { Metrics, ProcessMetrics } from './metrics.ts';
import type { Instance } from './supervisor/instance.ts';

export interface HeartbeatOptions {
  boot: string;
  agentVersion: string;
  metrics: Metrics;
  clock: PlatformClock;
  instances: () => Instance[];
  isOpen: () => boolean;
  /** With what this host's clock is off by. */
  publish: (heartbeat: Heartbeat) => boolean;
}

const shortestPauseMs = 1_000;

export class HeartbeatSender {
  readonly #options: HeartbeatOptions;
  #intervalMs = 10_000;
  #timer: NodeJS.Timeout | undefined;
  #dueMs = Infinity;
  #sentMs = -Infinity;
  #seq = 0;
  #isBeating = false;
  #isStopped = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** The platform has greeted: one heartbeat now, then at this interval. */
  begin(intervalMs: number): void {
    this.#intervalMs = intervalMs;
    this.#sentMs = -Infinity;
    this.#plan(0);
  }

  /** A state has changed: a heartbeat soon, at most one a second. */
  hasten(): void {
    this.#plan(Math.max(0, this.#sentMs + shortestPauseMs - performance.now()));
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #plan(waitMs: number): void {
    const dueMs = performance.now() + waitMs;
    if (this.#isStopped || dueMs >= this.#dueMs) return;
    clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = setTimeout(() => void this.#beat(), waitMs);
  }

  async #beat(): Promise<void> {
    this.#dueMs = Infinity;
    this.#plan(this.#intervalMs);
    const { isOpen, publish, instances, metrics } = this.#options;
    if (this.#isBeating || !isOpen()) return;
    this.#isBeating = true;
    const { host, processes } = await metrics.read(instances().flatMap(({ pid }) => pid ?? []));
    this.#isBeating = false;
    if (this.#isStopped || !isOpen()) return;
    this.#seq += 1;
    this.#sentMs = performance.now();
    publish({
      v: 1,
      sent_at: this.#options.clock.nowText(),
      boot: this.#options.boot,
      seq: this.#seq,
      agent_version: this.#options.agentVersion,
      host,
      instances: instances().map((instance) => report(instance, processes)),
    });
  }
}

function report(instance: Instance, processes: Map<number, ProcessMetrics>): InstanceReport {
  const { pid, uptimeMs } = instance;
  const { rcon } = instance.context;
  const { game } = instance.context.config;
  const measured = pid === null ? undefined : processes.get(pid);
  return {
    name: instance.name,
    ...(game === undefined ? {} : { game }),
    state: instance.state,
    uptime_seconds: Math.floor(uptimeMs / 1000),
    ...(measured?.cpuPercent === undefined ? {} : { cpu_percent: measured.cpuPercent }),
    ...(measured === undefined ? {} : { memory_bytes: measured.memoryBytes }),
    ...rcon?.figures,
    capabilities: capabilitiesOf(instance),
  };
}
