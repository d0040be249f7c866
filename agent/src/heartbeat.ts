// Sends a heartbeat with the host and its instances at the platform's interval, and soon after a change.
import type { PlatformClock } from './clock.ts';
import type { Heartbeat, InstanceReport, Schemas } from './messages.ts';
import type { Metrics, ProcessMetrics } from './metrics.ts';
import type { Instance } from './supervisor/instance.ts';
import { frameworkOf } from './plugins/framework.ts';

export interface HeartbeatOptions {
  boot: string;
  agentVersion: string;
  metrics: Metrics;
  clock: PlatformClock;
  instances: () => Instance[];
  isOpen: () => boolean;
  /** Adds the offset of this host's clock to the headers. */
  publish: (heartbeat: Heartbeat) => boolean;
}

const minPauseMs = 1_000;

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

  /** Called when the platform has replied to the greeting: sends one heartbeat now, then one per interval. */
  begin(intervalMs: number): void {
    this.#intervalMs = intervalMs;
    this.#sentMs = -Infinity;
    this.#plan(0);
  }

  /** Called when a state has changed: sends a heartbeat soon, at most one per second. */
  sendSoon(): void {
    this.#plan(Math.max(0, this.#sentMs + minPauseMs - performance.now()));
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

type Capability = Schemas['InstanceCapability'];

/** In alphabetical order, so that equal capabilities are reported as equal texts. */
export function capabilitiesOf(instance: Instance): Capability[] {
  const { config, rcon } = instance.context;
  const hasReplies = rcon !== null;
  const isRead = hasReplies || config.console.hasInput;
  const isRust = config.game === 'rust' || hasReplies;
  const canHavePlugins = config.console.reloadPlugin !== null && (isRust || frameworkOf(instance) !== null);
  const has: Record<Capability, boolean> = {
    announcements: isRead && config.console.announce !== null,
    console_input: isRead,
    console_output: isRead,
    console_replies: hasReplies,
    deliveries: hasReplies,
    players: hasReplies,
    plugin_reloads: isRead && (canHavePlugins || typeof config.console.reloadPlugin === 'string'),
    plugins: canHavePlugins,
    saves: isRead && config.console.save !== null,
    wipes: config.game === 'rust',
  };
  return (Object.keys(has) as Capability[]).filter((capability) => has[capability]);
}
