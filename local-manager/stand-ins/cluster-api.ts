// The documents by which an API server of Kubernetes describes itself, with the kinds that the manager uses.

export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; uid: string };
  spec: Record<string, unknown>;
  status: Record<string, unknown>;
}

export interface Kind {
  group: '' | 'igw.funcom.com' | 'metrics.k8s.io';
  plural: string;
  singular: string;
  kind: string;
  shortNames: string[];
  isNamespaced: boolean;
}

export const kinds: readonly Kind[] = [
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
  {
    group: 'igw.funcom.com',
    plural: 'serverstats',
    singular: 'serverstats',
    kind: 'ServerStats',
    shortNames: [],
    isNamespaced: true,
  },
  {
    group: 'metrics.k8s.io',
    plural: 'pods',
    singular: 'pod',
    kind: 'PodMetrics',
    shortNames: [],
    isNamespaced: true,
  },
];

/** The versions of the groups. */
const versions = { 'igw.funcom.com': 'v1', 'metrics.k8s.io': 'v1beta1' } as const;

export const versionOf = ({ group }: Pick<Kind, 'group'>): string =>
  group === '' ? 'v1' : `${group}/${versions[group]}`;

/** The discovery document of that path; undefined if the path is none of discovery. */
export function discoveryOf(path: string): unknown {
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  if (path === '/apis') return groupList();
  if (path === '/api/v1') return resourceList('');
  if (path === '/version') return { major: '1', minor: '32', gitVersion: 'v1.32.0' };
  for (const group of Object.keys(versions) as (keyof typeof versions)[])
    if (path === `/apis/${group}/${versions[group]}`) return resourceList(group);
  return undefined;
}

const groupList = () => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: Object.entries(versions).map(([name, version]) => ({
    name,
    versions: [{ groupVersion: `${name}/${version}`, version }],
    preferredVersion: { groupVersion: `${name}/${version}`, version },
  })),
});

const resourceList = (group: Kind['group']) => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: versionOf({ group }),
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

export const statusOf = (code: number, message: string, reason = 'NotFound') => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason,
  message,
  code,
});

export function resource(kind: string, name: string, within: { namespace?: string } = {}): Resource {
  const isOurs = ['BattleGroup', 'DatabaseDeployment', 'ServerStats'].includes(kind);
  return {
    apiVersion: isOurs ? 'igw.funcom.com/v1' : 'v1',
    kind,
    metadata: { name, uid: `${kind}-${name}`, ...within },
    spec: {},
    status: {},
  };
}
