// A stand-in for the cluster of the virtual machine: an API server for kubectl, and the operators behind it.
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface ClusterDelays {
  startMs: number;
  stopMs: number;
  deleteMs: number;
}

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; uid: string };
  spec: Record<string, unknown>;
  status: Record<string, unknown>;
}

interface Kind {
  group: '' | 'igw.funcom.com';
  plural: string;
  singular: string;
  kind: string;
  shortNames: string[];
  isNamespaced: boolean;
}

const kinds: readonly Kind[] = [
  {
    group: '',
    plural: 'namespaces',
    singular: 'namespace',
    kind: 'Namespace',
    shortNames: ['ns'],
    isNamespaced: false,
  },
  { group: '', plural: 'nodes', singular: 'node', kind: 'Node', shortNames: ['no'], isNamespaced: false },
  { group: '', plural: 'pods', singular: 'pod', kind: 'Pod', shortNames: ['po'], isNamespaced: true },
  {
    group: '',
    plural: 'services',
    singular: 'service',
    kind: 'Service',
    shortNames: ['svc'],
    isNamespaced: true,
  },
  {
    group: 'igw.funcom.com',
    plural: 'battlegroups',
    singular: 'battlegroup',
    kind: 'BattleGroup',
    shortNames: ['igwbg'],
    isNamespaced: true,
  },
  {
    group: 'igw.funcom.com',
    plural: 'databasedeployments',
    singular: 'databasedeployment',
    kind: 'DatabaseDeployment',
    shortNames: [],
    isNamespaced: true,
  },
];

export class Cluster {
  readonly #resources = new Map<string, Resource[]>(kinds.map(({ plural }) => [plural, []]));
  readonly #delays: ClusterDelays;
  readonly #readAddress: () => string;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Whether k3s responds. */
  isUp = false;
  /** Kinds that it fails to list, as an API server without memory does, with the number of failures. */
  readonly unlisted = new Map<string, number>();

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
    this.#list('pods').push(resource('Pod', `${world}-filebrowser-0`, within));
  }

  get battlegroup(): Resource | undefined {
    return this.#list('battlegroups')[0];
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
    for (const timer of this.#timers) clearTimeout(timer);
  }

  handle(path: string, request: IncomingMessage, response: ServerResponse): void {
    if (!this.isUp) {
      response.writeHead(503);
      response.end();
      return;
    }
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (path === '/api') send(200, { kind: 'APIVersions', versions: ['v1'] });
    else if (path === '/apis') send(200, groupList());
    else if (path === '/api/v1') send(200, resourceList(''));
    else if (path === '/apis/igw.funcom.com/v1') send(200, resourceList('igw.funcom.com'));
    else if (path === '/version') send(200, { major: '1', minor: '32', gitVersion: 'v1.32.0' });
    else this.#serve(path, request.method ?? 'GET', send);
  }

  #serve(path: string, method: string, send: (status: number, body: unknown) => void): void {
    const parts = path.replace(/^\/(api|apis\/igw\.funcom\.com)\/v1\//, '').split('/');
    const isScoped = parts[0] === 'namespaces' && parts.length > 2;
    const namespace = isScoped ? parts[1] : undefined;
    const [plural = '', name] = isScoped ? parts.slice(2) : parts;
    const kind = kinds.find((known) => known.plural === plural);
    if (kind === undefined) {
      send(404, status(404, `the server could not find the requested resource`));
      return;
    }
    const items = this.#list(plural).filter(
      ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
    );
    const apiVersion = kind.group === '' ? 'v1' : `${kind.group}/v1`;
    const failures = this.unlisted.get(plural) ?? 0;
    if (name === undefined && failures > 0) {
      this.unlisted.set(plural, failures - 1);
      send(504, status(504, 'the request timed out', 'Timeout'));
      return;
    }
    if (name === undefined) {
      send(200, { kind: `${kind.kind}List`, apiVersion, metadata: { resourceVersion: '1' }, items });
      return;
    }
    const found = items.find(({ metadata }) => metadata.name === name);
    if (found === undefined) send(404, status(404, `${plural} "${name}" not found`));
    else if (method === 'DELETE') {
      this.#delete(found);
      send(200, found);
    } else send(200, found);
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
        battlegroup.status['servers'] = isUp
          ? [
              { map: 'Survival_1', phase: 'Running', ready: true, players: 0 },
              { map: 'Overmap', phase: 'Running', ready: true, players: 0 },
            ]
          : [];
      });
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

function resource(kind: string, name: string, within: { namespace?: string } = {}): Resource {
  const isOurs = kind === 'BattleGroup' || kind === 'DatabaseDeployment';
  return {
    apiVersion: isOurs ? 'igw.funcom.com/v1' : 'v1',
    kind,
    metadata: { name, uid: `${kind}-${name}`, ...within },
    spec: {},
    status: {},
  };
}

const status = (code: number, message: string, reason = 'NotFound') => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason,
  message,
  code,
});

const groupList = () => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: [
    {
      name: 'igw.funcom.com',
      versions: [{ groupVersion: 'igw.funcom.com/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'igw.funcom.com/v1', version: 'v1' },
    },
  ],
});

const resourceList = (group: Kind['group']) => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: group === '' ? 'v1' : `${group}/v1`,
  resources: kinds
    .filter((kind) => kind.group === group)
    .map(({ plural, singular, kind, shortNames, isNamespaced }) => ({
      name: plural,
      singularName: singular,
      namespaced: isNamespaced,
      kind,
      shortNames,
      verbs: ['get', 'list', 'delete'],
    })),
});
