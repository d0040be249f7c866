// The game servers of the stand-in's battlegroup: their pods, what they report of themselves, their use and their logs.
import { resource, type Resource } from './cluster-api.ts';

interface GameServer {
  map: string;
  partition: number;
  pod: string;
  namespace: string;
  startedAt: Date;
  restarts: number;
  /** How its program ended last. */
  ended: { reason: string; exitCode: number; at: Date } | undefined;
  lines: string[];
  previousLines: string[] | undefined;
}

const maps = ['Survival_1', 'Overmap'];
/** Memory and processors of a server without players. */
const idle = { gigabytes: 6, cores: 0.4 };
const perPlayer = { gigabytes: 0.25, cores: 0.15 };

export class GameServers {
  /** Players by map. */
  readonly players = new Map<string, number>();
  /** Whether the cluster has a metrics server. */
  hasMetrics = true;
  #running: GameServer[] = [];

  /** Starts one server for each map, and returns the list for the battlegroup's status. */
  start({ name, namespace = '' }: Resource['metadata']): object[] {
    if (this.#running.length === 0)
      this.#running = maps.map((map, index) => {
        const partition = index + 1;
        return {
          map,
          partition,
          pod: `${name}-sg-${map.toLowerCase().replace(/[^a-z0-9]/g, '-')}-pod-${partition}`,
          namespace,
          startedAt: new Date(),
          restarts: 0,
          ended: undefined,
          lines: startLines(map),
          previousLines: undefined,
        };
      });
    return this.#running.map(({ map, partition }) => ({
      partitionMap: map,
      partitionIndex: partition,
      phase: 'Running',
      ready: true,
    }));
  }

  end(): object[] {
    this.#running = [];
    return [];
  }

  crash(map: string, reason: string, exitCode: number): void {
    const server = this.#running.find((candidate) => candidate.map === map);
    if (server === undefined) throw new Error(`${map} does not run`);
    server.restarts += 1;
    server.ended = { reason, exitCode, at: new Date() };
    server.previousLines = [...server.lines, timed('LogOutOfMemory: Error: Ran out of memory')];
    server.lines = startLines(map);
  }

  say(map: string, text: string): void {
    this.#running.find((server) => server.map === map)?.lines.push(timed(text));
  }

  pods(): Resource[] {
    return this.#running.map(({ pod, namespace, startedAt, restarts, ended }) => ({
      ...resource('Pod', pod, { namespace }),
      spec: { containers: [{ name: 'server' }] },
      status: {
        phase: 'Running',
        startTime: startedAt.toISOString(),
        containerStatuses: [
          {
            name: 'server',
            ready: true,
            restartCount: restarts,
            lastState:
              ended === undefined
                ? {}
                : {
                    terminated: {
                      reason: ended.reason,
                      exitCode: ended.exitCode,
                      finishedAt: ended.at.toISOString(),
                    },
                  },
          },
        ],
      },
    }));
  }

  stats(): Resource[] {
    return this.#running.map(({ map, partition, pod, namespace }) => ({
      ...resource('ServerStats', pod, { namespace }),
      spec: { area: { partition, map } },
      status: { runtime: { players: this.#playersOn(map), ready: true } },
    }));
  }

  metrics(namespace: string | undefined): object {
    const timestamp = new Date().toISOString();
    return {
      kind: 'PodMetricsList',
      apiVersion: 'metrics.k8s.io/v1beta1',
      metadata: {},
      items: this.#running
        .filter((server) => namespace === undefined || server.namespace === namespace)
        .map(({ map, pod, namespace: within }) => {
          const players = this.#playersOn(map);
          const cores =
            idle.cores + players * perPlayer.cores + Math.abs(Math.sin(Date.now() / 90_000)) * 0.3;
          const gigabytes = idle.gigabytes + players * perPlayer.gigabytes;
          const usage = {
            cpu: `${Math.round(cores * 1_000)}m`,
            memory: `${Math.round(gigabytes * 1024 * 1024)}Ki`,
          };
          return {
            metadata: { name: pod, namespace: within },
            timestamp,
            window: '30s',
            containers: [{ name: 'server', usage }],
          };
        }),
    };
  }

  /** Undefined for the log before a restart of a server that was never restarted. */
  linesOf(pod: string, isPrevious: boolean): string[] | undefined {
    const server = this.#running.find((candidate) => candidate.pod === pod);
    if (isPrevious) return server?.previousLines;
    return server?.lines ?? [];
  }

  #playersOn(map: string): number {
    return this.players.get(map) ?? 0;
  }
}

const timed = (text: string): string => `${new Date().toISOString()} ${text}`;

const startLines = (map: string): string[] =>
  [
    'LogInit: Display: Starting Game.',
    `LogWorld: Bringing World /Game/Dune/Maps/${map} up for play`,
    'LogFuncom: Warning: token=eyJhbGciOiJIUzI1NiJ9.eyJIb3N0SWQiOiJ4In0.c2lnbmF0dXJl',
    'LogNet: Display: Listening on port 7777',
  ].map(timed);
