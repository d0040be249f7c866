// Operations of the area `admin-servers`.
import type { Schemas } from '../platform-contract/types.ts';
import type { ServerOverview, ServerRow, StateCount } from '../services/admin-servers.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const adminServers = {
  listPlatformHosts: async (ctx, { query }) => viewOverview(await ctx.services.adminServers.list(ctx, query)),
} satisfies Partial<Handlers>;

function viewOverview({ page, hosts, instances, versions }: ServerOverview): Schemas['PlatformHostPage'] {
  return {
    ...viewPage(page, viewServer),
    totals: {
      hosts: hosts.total,
      online_hosts: hosts.online,
      instances: viewStates(instances),
      agent_versions: versions.map((version) => ({
        agent_version: version.agent_version,
        hosts: version.hosts,
      })),
    },
  };
}

function viewServer(host: ServerRow): Schemas['PlatformHost'] {
  return {
    id: host.id,
    license_id: host.license_id,
    license_name: host.license_name,
    hostname: host.hostname,
    status: host.status,
    agent_version: host.agent_version,
    platform: host.platform,
    last_heartbeat_at: host.last_heartbeat_at,
    instances: viewStates(host.instances),
  };
}

function viewStates(counts: StateCount[]): Schemas['InstancesByState'] {
  const countOf = (wanted: StateCount['state']) => counts.find(({ state }) => state === wanted)?.count ?? 0;
  return {
    offline: countOf('offline'),
    stopped: countOf('stopped'),
    starting: countOf('starting'),
    running: countOf('running'),
    stopping: countOf('stopping'),
    crashed: countOf('crashed'),
  };
}
