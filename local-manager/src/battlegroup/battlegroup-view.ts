// Converts the cluster's view of a battlegroup to the contract's.
import type { components } from '../../../generated/local-manager.d.ts';
import { fieldsOf, listOf, numberOf, textOf, type Fields } from '../parsing.ts';
import type { ClusterView } from './cluster-probe.ts';

export type Battlegroup = components['schemas']['Battlegroup'];

/** `Reconciling` means that something besides its servers is changing; players can be on it meanwhile. */
const reachable = /^(Running|Ready|Healthy|Available|Reconciling)$/;
const up = /^(Running|Ready|Healthy|Available)$/;

export function viewBattlegroup(resource: Fields, { directorPort }: ClusterView): Battlegroup {
  const [metadata, spec, status] = ['metadata', 'spec', 'status'].map((name) => fieldsOf(resource[name])) as [
    Fields,
    Fields,
    Fields,
  ];
  const name = textOf(metadata['name']) ?? '';
  const phase = textOf(status['phase']) ?? 'Unknown';
  const isStopped = spec['stop'] === true;
  return {
    name,
    title: textOf(spec['title']) ?? name,
    namespace: textOf(metadata['namespace']) ?? '',
    phase,
    isStopped,
    isReachable: !isStopped && reachable.test(phase),
    databasePhase: textOf(fieldsOf(status['database'])['phase']),
    directorPort,
    maps: listOf(status['servers']).map(fieldsOf).map(viewMap),
  };
}

function viewMap(server: Fields): Battlegroup['maps'][number] {
  const phase = textOf(server['phase']) ?? 'Unknown';
  const ready = server['ready'];
  return {
    map: textOf(server['map']) ?? textOf(server['name']) ?? '',
    phase,
    isReady: typeof ready === 'boolean' ? ready : up.test(phase),
    players: numberOf(server['players']),
  };
}
