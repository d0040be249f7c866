// A stand-in for the cluster of the virtual machine: an API server for kubectl, and the operators behind it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { discoveryOf, kinds, resource, statusOf, versionOf, type Resource } from './cluster-api.ts';
import { GameServers } from './game-servers.ts';

export interface ClusterDelays {
  startMs: number;
  stopMs: number;
  deleteMs: number;
}

export class Cluster {
  readonly #resources = new Map<string, Resource[]>(kinds.map(({ plural }) => [plural, []]));
  readonly #delays: ClusterDelays;
  readonly #readAddress: () => string;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Whether k3s responds. */
  isUp = false;
  /** Kinds that it fails to list, as an API server without memory does, with the number of failures. */
  readonly unlisted = new Map<string, number>();
  readonly servers = new GameServers();

  /** `readAddress` returns line 4 of settings.conf; the gateway reads it only when it starts. */
  constructor(delays: ClusterDelays, readAddress: () => string) {
    this.#delays = delays;
    this.#readAddress = readAddress;
    this.clear();
  }

  /** The state before anything is installed. */
  clear(): void {
    this.stop();
    for (const { plural } of kinds) this.#resources.set(plural, []);
    this.#list('nodes').push(resource('Node', 'dune'));
  }

  addNamespace(name: string): void {
    this.#list('namespaces').push({ ...resource('Namespace', name), status: { phase: 'Active' } });
  }

  addBattlegroup(world: string, title: string, databasePort: number): void {
    const namespace = `funcom-seabass-${world}`;
    const within = { namespace };
    if (!this.#list('namespaces').some(({ metadata }) => metadata.name === namespace))
      this.addNamespace(namespace);
    this.#list('battlegroups').push({
      ...resource('BattleGroup', world, within),
      spec: { stop: true, title },
      status: { phase: 'Stopped', database: { phase: 'Ready' }, servers: [] },
    });
    this.#list('databasedeployments').push({
      ...resource('DatabaseDeployment', `${world}-db`, within),
      spec: { port: databasePort },
    });
    this.#list('services').push({
      ...resource('Service', `${world}-bgd-svc`, within),
      spec: { ports: [{ port: 11717, nodePort: 31234 }] },
    });
    for (const [name, container] of [
      [`${world}-filebrowser-0`, 'filebrowser'],
      [`${world}-mq-game-sts-0`, 'rabbitmq'],
    ] as const)
      this.#list('pods').push({
        ...resource('Pod', name, within),
        spec: { containers: [{ name: container }] },
        status: { phase: 'Running' },
      });
  }

  get battlegroup(): Resource | undefined {
    return this.#list('battlegroups')[0];
  }

  /** The port of the director for the outside. */
  set directorNodePort(nodePort: number) {
    for (const { spec } of this.#list('services')) spec['ports'] = [{ port: 11717, nodePort }];
  }

  get namespaces(): string[] {
    return this.#list('namespaces').map(({ metadata }) => metadata.name);
  }

  /** The address that the node registers. */
  get externalIp(): string {
    const addresses = this.#list('nodes')[0]?.status['addresses'] as { address: string }[] | undefined;
    return addresses?.[0]?.address ?? '';
  }

  setStopped(isStopped: boolean): void {
    const { battlegroup } = this;
    if (battlegroup === undefined) throw new Error('there is no battlegroup');
    battlegroup.spec['stop'] = isStopped;
    if (isStopped) {
      this.#phases(battlegroup, this.#delays.stopMs, ['Stopping', 'Stopped']);
      return;
    }
    const address = this.#readAddress();
    const node = this.#list('nodes')[0];
    if (node !== undefined) node.status['addresses'] = [{ type: 'ExternalIP', address }];
    this.#phases(battlegroup, this.#delays.startMs, ['Starting', 'Pending', 'Reconciling', 'Healthy']);
  }

  stop(): void {
    this.servers.end();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  handle(path: string, request: IncomingMessage, response: ServerResponse): void {
    if (!this.isUp) {
      response.writeHead(503);
      response.end();
      return;
    }
    const send = (status: number, body: unknown) => {
      const isText = typeof body === 'string';
      response.writeHead(status, { 'Content-Type': isText ? 'text/plain' : 'application/json' });
      response.end(isText ? body : JSON.stringify(body));
    };
    const discovery = discoveryOf(path);
    if (discovery === undefined)
      this.#serve(new URL(request.url ?? '/', 'http://k8s'), path, request.method ?? 'GET', send);
    else send(200, discovery);
  }

  #serve(
    { searchParams }: URL,
    path: string,
    method: string,
    send: (status: number, body: unknown) => void,
  ): void {
    const [, group = '', rest = ''] = /^\/(?:api|apis\/([^/]+))\/[^/]+\/(.*)$/.exec(path) ?? [];
    const parts = rest.split('/');
    const isScoped = parts[0] === 'namespaces' && parts.length > 2;
    const namespace = isScoped ? parts[1] : undefined;
    const [plural = '', name, part] = isScoped ? parts.slice(2) : parts;
    const kind = kinds.find((known) => known.plural === plural && known.group === group);
    if (kind === undefined) {
      send(404, statusOf(404, `the server could not find the requested resource`));
      return;
    }
    if (kind.kind === 'PodMetrics') {
      if (this.servers.hasMetrics) send(200, this.servers.metrics(namespace));
      else
        send(
          503,
          statusOf(503, 'the server is currently unable to handle the request', 'ServiceUnavailable'),
        );
      return;
    }
    if (kind.kind === 'ServerStats') this.#resources.set(plural, this.servers.stats());
    const items = this.#list(plural).filter(
      ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
    );
    const apiVersion = versionOf(kind);
    const failures = this.unlisted.get(plural) ?? 0;
    if (name === undefined && failures > 0) {
      this.unlisted.set(plural, failures - 1);
      send(504, statusOf(504, 'the request timed out', 'Timeout'));
      return;
    }
    if (name === undefined) {
      send(200, { kind: `${kind.kind}List`, apiVersion, metadata: { resourceVersion: '1' }, items });
      return;
    }
    const found = items.find(({ metadata }) => metadata.name === name);
    if (found === undefined) send(404, statusOf(404, `${plural} "${name}" not found`));
    else if (part === 'log') this.#sendLog(found, searchParams, send);
    else if (method === 'DELETE') {
      this.#delete(found);
      send(200, found);
    } else send(200, found);
  }

  /** As kubectl asks for it: the newest lines, with their times. */
  #sendLog(
    { metadata: { name } }: Resource,
    asked: URLSearchParams,
    send: (status: number, body: unknown) => void,
  ): void {
    const isPrevious = asked.get('previous') === 'true';
    const lines = this.servers.linesOf(name, isPrevious);
    if (lines === undefined)
      send(
        400,
        statusOf(400, `previous terminated container "server" in pod "${name}" not found`, 'BadRequest'),
      );
    else
      send(
        200,
        lines
          .slice(-Number(asked.get('tailLines') ?? lines.length))
          .map((line) => `${line}\n`)
          .join(''),
      );
  }

  /** Namespaces are deleted slowly, with their content. */
  #delete(found: Resource): void {
    found.status['phase'] = 'Terminating';
    this.#after(this.#delays.deleteMs, () => {
      const { name } = found.metadata;
      for (const [plural, items] of this.#resources)
        this.#resources.set(
          plural,
          items.filter((item) => item !== found && item.metadata.namespace !== name),
        );
    });
  }

  #phases(battlegroup: Resource, ms: number, phases: string[]): void {
    for (const [index, phase] of phases.entries())
      this.#after((ms / phases.length) * index, () => {
        battlegroup.status['phase'] = phase;
        const isUp = phase === 'Healthy' || phase === 'Reconciling';
        battlegroup.status['servers'] = isUp ? this.servers.start(battlegroup.metadata) : this.servers.end();
        this.#putServers();
      });
  }

  /** Crashes a game server, as Kubernetes shows it: its program ended and was started again. */
  crash(map: string, reason: string, exitCode: number): void {
    this.servers.crash(map, reason, exitCode);
    this.#putServers();
  }

  /** The pods and figures of the game servers beside the other pods. */
  #putServers(): void {
    const isServer = ({ metadata }: Resource) => metadata.name.includes('-sg-');
    this.#resources.set('pods', [
      ...this.#list('pods').filter((pod) => !isServer(pod)),
      ...this.servers.pods(),
    ]);
  }

  #after(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
  }

  #list(plural: string): Resource[] {
    return this.#resources.get(plural) ?? [];
  }
}
