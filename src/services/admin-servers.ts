// The agent hosts and game instances of all licenses.
import type { Ctx } from '../context.ts';
import type { Query, Schemas } from '../platform-contract/types.ts';
import type { Queries } from '../database/reader.ts';
import { byId, pageOf } from '../lists/page.ts';
import { readCounts, type CountRow } from '../platform-counts/counts.ts';
import type { Administration } from './auth/administration.ts';

type Filter = Query<'listPlatformHosts'>;
type State = keyof Schemas['InstancesByState'];

/** The number of instances of a host, or of all hosts, in a state. */
export interface StateCount {
  state: State;
  count: number;
}

export type ServerOverview = Awaited<ReturnType<AdminServers['list']>>;
export type ServerRow = ServerOverview['page']['rows'][number];

/** Maximum versions listed; the others are too rare. */
const maxVersions = 50;

export class AdminServers {
  readonly #administration: Administration;

  constructor(administration: Administration) {
    this.#administration = administration;
  }

  /** Returns a page of hosts with their instances, and totals of all hosts that match the filter. */
  async list(ctx: Ctx, filter: Filter) {
    return this.#administration.read(ctx, async (queries) => {
      const page = await pageOf(listedHosts(queries, filter), filter, byId('agent_host.id', 'asc'));
      const instances = await instancesOf(
        queries,
        page.rows.map(({ id }) => id),
      );
      const rows = page.rows.map((host) => ({
        ...host,
        instances: instances.filter(({ host_id }) => host_id === host.id),
      }));
      return { page: { ...page, rows }, ...(await totalsOf(queries, filter)) };
    });
  }
}

const sandboxesIn = (queries: Queries) => queries.selectFrom('sandbox').select('license_id');

function hosts(queries: Queries, { license_id, status, agent_version }: Filter) {
  let chosen = queries.selectFrom('agent_host');
  // Simulated hosts are shown only to those who ask for their license.
  chosen =
    license_id === undefined
      ? chosen.where('agent_host.license_id', 'not in', sandboxesIn(queries))
      : chosen.where('agent_host.license_id', '=', license_id);
  if (status !== undefined) chosen = chosen.where('agent_host.status', '=', status);
  if (agent_version !== undefined) chosen = chosen.where('agent_host.agent_version', '=', agent_version);
  return chosen;
}

function listedHosts(queries: Queries, filter: Filter) {
  return hosts(queries, filter)
    .innerJoin('license', 'license.id', 'agent_host.license_id')
    .select([
      'agent_host.id',
      'agent_host.license_id',
      'license.name as license_name',
      'agent_host.hostname',
      'agent_host.status',
      'agent_host.agent_version',
      'agent_host.platform',
      'agent_host.last_heartbeat_at',
    ]);
}

async function instancesOf(queries: Queries, hostIds: string[]) {
  if (hostIds.length === 0) return [];
  return queries
    .selectFrom('game_instance')
    .select(({ fn }) => ['host_id', 'state', fn.countAll<number>().as('count')])
    .where('host_id', 'in', hostIds)
    .groupBy(['host_id', 'state'])
    .execute();
}

/** Totals of one license are counted; those of all licenses are kept as they change. */
async function totalsOf(queries: Queries, filter: Filter) {
  if (filter.license_id !== undefined) return countedTotals(hosts(queries, filter));
  const { status, agent_version: version } = filter;
  const counts = await readCounts(queries, ['hosts', 'instances']);
  const matching = counts.filter(
    ({ figure, key, detail }) =>
      figure === 'hosts' && (status ?? key) === key && (version ?? detail) === detail,
  );
  const online = matching.filter(({ key }) => key === 'online');
  const isFiltered = status !== undefined || version !== undefined;
  return {
    hosts: { total: sumOf(matching), online: sumOf(online) },
    // Not kept for each status and version: both change without the instances.
    instances: isFiltered
      ? await countedInstances(hosts(queries, filter))
      : [
          ...Map.groupBy(
            counts.filter(({ figure }) => figure === 'instances'),
            ({ key }) => key,
          ),
        ].map(([state, rows]) => ({ state: state as State, count: sumOf(rows) })),
    versions: commonVersions(matching),
  };
}

const sumOf = (counts: readonly CountRow[]) => counts.reduce((sum, { n }) => sum + n, 0);

function commonVersions(counts: readonly CountRow[]) {
  return [...Map.groupBy(counts, ({ detail }) => detail)]
    .map(([version, rows]) => ({ agent_version: version, hosts: sumOf(rows) }))
    .sort((a, b) => b.hosts - a.hosts || (a.agent_version < b.agent_version ? -1 : 1))
    .slice(0, maxVersions);
}

async function countedTotals(chosen: ReturnType<typeof hosts>) {
  return {
    hosts: await chosen
      .select(({ fn }) => [
        fn.countAll<number>().as('total'),
        fn.countAll<number>().filterWhere('status', '=', 'online').as('online'),
      ])
      .executeTakeFirstOrThrow(),
    instances: await countedInstances(chosen),
    versions: await chosen
      .select(({ fn }) => ['agent_version', fn.countAll<number>().as('hosts')])
      .groupBy('agent_version')
      .orderBy('hosts', 'desc')
      .orderBy('agent_version')
      .limit(maxVersions)
      .execute(),
  };
}

function countedInstances(chosen: ReturnType<typeof hosts>) {
  return chosen
    .innerJoin('game_instance', 'game_instance.host_id', 'agent_host.id')
    .select(({ fn }) => ['game_instance.state', fn.countAll<number>().as('count')])
    .groupBy('game_instance.state')
    .execute();
}
