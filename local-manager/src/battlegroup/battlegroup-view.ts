// Converts the cluster's view of a battlegroup to the contract's.
import type { components } from '../../../generated/local-manager.d.ts';
import { fieldsOf, listOf, numberOf, textOf, type Fields } from '../parsing.ts';
import type { ClusterView } from './cluster-probe.ts';

export type Battlegroup = components['schemas']['Battlegroup'];

/** `Reconciling` means that something besides its servers is changing; players can be on it meanwhile. */
const reachable = /^(Running|Ready|Healthy|Available|Reconciling)$/;
const up = /^(Running|Ready|Healthy|Available)$/;

export function viewBattlegroup(resource: Fields, { directorPort, serverStats }: ClusterView): Battlegroup {
  const [metadata, spec, status] = ['metadata', 'spec', 'status'].map((name) => fieldsOf(resource[name])) as [
    Fields,
    Fields,
    Fields,
  ];
  const name = textOf(metadata['name']) ?? '';
  const namespace = textOf(metadata['namespace']) ?? '';
  const phase = textOf(status['phase']) ?? 'Unknown';
  const isStopped = spec['stop'] === true;
  return {
    name,
    title: textOf(spec['title']) ?? name,
    namespace,
    phase,
    isStopped,
    isReachable: !isStopped && reachable.test(phase),
    databasePhase: textOf(fieldsOf(status['database'])['phase']),
    directorPort,
    maps: viewMaps(listOf(status['servers']).map(fieldsOf), playersIn(serverStats, namespace)),
  };
}

type Players = ReadonlyMap<number, number>;

/** Newer packages count the players of each partition in a resource of its own. */
function playersIn(serverStats: readonly Fields[], namespace: string): Players {
  return new Map(
    serverStats
      .filter(({ metadata }) => fieldsOf(metadata)['namespace'] === namespace)
      .flatMap(({ spec, status }): [number, number][] => {
        const partition = numberOf(fieldsOf(fieldsOf(spec)['area'])['partition']);
        const players = numberOf(fieldsOf(fieldsOf(status)['runtime'])['players']);
        return partition === null || players === null ? [] : [[partition, players]];
      }),
  );
}

function viewMaps(servers: readonly Fields[], playersOf: Players): Battlegroup['maps'] {
  const maps = servers.map(mapOf);
  return servers.map((server, index) => {
    const map = maps[index] ?? '';
    const phase = textOf(server['phase']) ?? 'Unknown';
    const ready = server['ready'];
    const partition = numberOf(server['partitionIndex']);
    const counted = partition === null ? undefined : playersOf.get(partition);
    const isOneOfSeveral = maps.filter((other) => other === map).length > 1;
    return {
      map,
      partition,
      server: isOneOfSeveral && partition !== null ? `${map} #${partition}` : map,
      phase,
      isReady: typeof ready === 'boolean' ? ready : up.test(phase),
      players: counted ?? numberOf(server['players']),
    };
  });
}

const mapOf = (server: Fields): string =>
  textOf(server['partitionMap']) ?? textOf(server['map']) ?? textOf(server['name']) ?? '';
