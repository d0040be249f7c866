// Samples the virtual machine and its game servers at a fixed interval, and returns the figures over time.
import type { Logger } from 'pino';
import type { components } from '../../../generated/local-manager.d.ts';
import type { Battlegroup } from '../battlegroup/battlegroup-view.ts';
import { podsIn, type ServerPod } from '../battlegroup/server-pods.ts';
import { readSections } from '../guest-shell/sections.ts';
import type { Guest } from '../guest-shell/guest.ts';
import { fieldsOf, jsonOf, listOf } from '../parsing.ts';
import { isRefusal } from '../refusals.ts';
import type { StatusObserver } from '../status/status.ts';
import {
  cpuCountersIn,
  cpuPercentBetween,
  diskIn,
  memoryIn,
  podUsesIn,
  type Capacity,
  type CpuCounters,
  type PodUse,
} from './figures.ts';
import { combined, marksBetween, type Seen } from './marks.ts';
import { retentionDays, type MonitoringStore, type Sample } from './monitoring-store.ts';

type Schemas = components['schemas'];
type Status = Schemas['Status'];

/** Steps of points, in seconds; the first that gives few enough points counts. */
const steps = [60, 300, 900, 1_800, 3_600, 7_200];
const maxPoints = 400;
const hourSeconds = 3_600;

const script = `
namespace=$1
section stat; head -n 1 /proc/stat
section memory; cat /proc/meminfo
section disk; df -P -k / | tail -n 1
[ -n "$namespace" ] || exit 0
section pods; sudo -n kubectl --request-timeout=8s get pods -n "$namespace" -o json || section failedPods
section uses; sudo -n kubectl --request-timeout=8s top pods -n "$namespace" --no-headers || section failedUses
exit 0
`;

interface Parts {
  store: MonitoringStore;
  status: StatusObserver;
  guest: Guest;
  intervalMs: number;
  log: Logger;
}

interface Inside {
  cpu: CpuCounters | null;
  memory: Capacity;
  disk: Capacity;
  /** Undefined if Kubernetes did not list them. */
  pods: ServerPod[] | undefined;
  /** Undefined if the cluster does not measure them. */
  uses: Map<string, PodUse> | undefined;
}

export class Monitoring {
  readonly #parts: Parts;
  #timer: NodeJS.Timeout | undefined;
  #sampling: Promise<void> = Promise.resolve();
  #cpu: CpuCounters | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    const { intervalMs } = this.#parts;
    this.#open();
    let isIdle = true;
    this.#timer = setInterval(() => {
      // A machine that responds slowly gets fewer samples, never several at once.
      if (!isIdle) return;
      isIdle = false;
      this.#sampling = this.sample().finally(() => (isIdle = true));
    }, intervalMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sampling;
    this.#parts.store.close();
  }

  get(hours: number): Schemas['Monitoring'] {
    const { store, intervalMs } = this.#parts;
    const to = new Date();
    const seconds = hours * hourSeconds;
    const from = new Date(to.getTime() - seconds * 1_000);
    const intervalSeconds = intervalMs / 1_000;
    const stepSeconds =
      steps.find((step) => step >= intervalSeconds && seconds / step <= maxPoints) ??
      Math.max(intervalSeconds, steps.at(-1) ?? hourSeconds);
    const period = {
      from: from.toISOString(),
      to: to.toISOString(),
      stepSeconds,
      intervalSeconds,
      retentionDays,
    };
    if (!store.isOpen)
      return {
        ...{ ...period, lastSampleAt: null, machine: [], servers: [], marks: [] },
        missing: ['The file of the figures cannot be opened; the log of the manager says why.'],
      };
    const { at, missing } = store.last();
    return { ...period, lastSampleAt: at, missing, ...store.read({ from, to, stepSeconds }) };
  }

  /** Without its file the manager works all the same, and the next sample tries again. */
  #open(): void {
    const { store, log } = this.#parts;
    try {
      const moved = store.open();
      if (moved !== undefined) log.error({ moved }, 'the recorded figures were damaged and are moved aside');
    } catch (error) {
      log.error({ err: error }, 'the file of the figures cannot be opened');
    }
  }

  /** Failures are logged, so that the next sample comes in any case. */
  async sample(now = new Date()): Promise<void> {
    const { store, status, log } = this.#parts;
    if (!store.isOpen) this.#open();
    if (!store.isOpen) return;
    try {
      store.add(await this.#observe(await status.get(), now));
    } catch (error) {
      log.error({ err: error }, 'a sample is missing');
    }
  }

  async #observe(status: Status, at: Date): Promise<Sample> {
    const { store } = this.#parts;
    const { host, vm, ssh, battlegroup } = status;
    const missing: string[] = [];
    const inside = ssh.state === 'ready' ? await this.#lookInside(battlegroup, missing) : undefined;
    if (vm.state === 'unknown' && ssh.state !== 'ready')
      missing.push(`Windows cannot be queried about the virtual machine: ${host.detail ?? host.state}`);
    if (vm.state === 'running' && ssh.state !== 'ready')
      missing.push(`The virtual machine cannot be reached: ${ssh.detail ?? ssh.state}`);
    const cpuPercent = cpuPercentBetween(this.#cpu, inside?.cpu ?? null);
    this.#cpu = inside?.cpu ?? null;
    const before = store.lastSeen();
    const pods = inside?.pods === undefined ? undefined : namedAsBefore(inside.pods, before);
    const seen: Seen = { machineStartedAt: machineStartOf(vm), pods: podStates(pods, battlegroup) };
    const maps = battlegroup?.maps ?? [];
    return {
      at,
      machine: {
        players: totalOf(maps),
        cpuPercent,
        memoryUsedGB: inside?.memory.usedGB ?? null,
        memoryTotalGB: inside?.memory.totalGB ?? null,
        diskUsedGB: inside?.disk.usedGB ?? null,
        diskTotalGB: inside?.disk.totalGB ?? null,
      },
      servers: new Map(
        maps.map(({ server, players }) => {
          const pod = pods?.find((candidate) => candidate.server === server);
          const use = pod === undefined ? undefined : inside?.uses?.get(pod.name);
          return [server, { players, cpuCores: use?.cpuCores ?? null, memoryGB: use?.memoryGB ?? null }];
        }),
      ),
      marks: marksBetween(before, seen, at.toISOString()),
      seen: combined(before, seen),
      missing,
    };
  }

  async #lookInside(battlegroup: Battlegroup | null, missing: string[]): Promise<Inside | undefined> {
    try {
      const shell = await this.#parts.guest.open();
      const found = await readSections(shell, script, [battlegroup?.namespace ?? '']);
      const hasPods = found.has('pods') && !found.has('failedPods');
      const hasUses = found.has('uses') && !found.has('failedUses');
      if (battlegroup !== null && !hasPods) missing.push('Kubernetes does not list the game servers now.');
      if (battlegroup !== null && !hasUses)
        missing.push(
          'Kubernetes does not measure its programs now; memory and CPU of the servers are unknown.',
        );
      const { items } = fieldsOf(jsonOf(found.get('pods') ?? ''));
      return {
        cpu: cpuCountersIn(found.get('stat') ?? ''),
        memory: memoryIn(found.get('memory') ?? ''),
        disk: diskIn(found.get('disk') ?? ''),
        pods: hasPods ? podsIn(listOf(items), battlegroup?.maps ?? []) : undefined,
        uses: hasUses ? podUsesIn(found.get('uses') ?? '') : undefined,
      };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      missing.push(`The virtual machine cannot be reached: ${error.message}`);
      return undefined;
    }
  }
}

/** A server that starts or ends is missing in the battlegroup's list for some seconds; it keeps its name meanwhile. */
function namedAsBefore(pods: readonly ServerPod[], before: Seen): ServerPod[] {
  return pods.map((pod) => ({ ...pod, server: before.pods?.[pod.name]?.server ?? pod.server }));
}

function podStates(pods: readonly ServerPod[] | undefined, battlegroup: Battlegroup | null): Seen['pods'] {
  if (pods === undefined || battlegroup === null) return undefined;
  return Object.fromEntries(
    pods.flatMap(({ name, server, startedAt, restarts, ended }) =>
      server === null ? [] : [[name, { server, startedAt, restarts, ended }]],
    ),
  );
}

function machineStartOf({ state, uptimeSeconds, observedAt }: Status['vm']): string | null | undefined {
  if (state === 'off' || state === 'missing') return null;
  if (state !== 'running' || uptimeSeconds === null || observedAt === null) return undefined;
  return new Date(Date.parse(observedAt) - uptimeSeconds * 1_000).toISOString();
}

/** Unknown if it is unknown for every server. */
function totalOf(maps: Battlegroup['maps']): number | null {
  const known = maps.map(({ players }) => players).filter((players) => players !== null);
  return known.length === 0 ? null : known.reduce((sum, players) => sum + players, 0);
}
