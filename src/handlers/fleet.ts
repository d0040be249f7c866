// Operations of the area `fleet`.
import type { Schemas } from '../platform-contract/types.ts';
import type { CreatedCode } from '../services/agents/enrolment.ts';
import type { RequestedUpdates } from '../services/agents/updates.ts';
import type { HostRow, InstanceRow, StatsRow } from '../services/fleet.ts';
import { viewCommand, viewOutcome } from './commands.ts';
import { viewPage, type HandlerContext, type Handlers } from './handlers.ts';

export const fleet = {
  listHosts: async (ctx, { query }) => viewPage(await ctx.services.fleet.listHosts(ctx, query), viewHost),
  getHost: async (ctx, { path }) => viewHost(await ctx.services.fleet.getHost(ctx, path.host_id)),
  listInstances: async (ctx, { query }) =>
    viewPage(await ctx.services.fleet.listInstances(ctx, query), viewInstance),
  getInstance: async (ctx, { path }) =>
    viewInstance(await ctx.services.fleet.getInstance(ctx, path.instance_id)),
  updateInstance: async (ctx, { path, body }) =>
    viewInstance(await ctx.services.fleet.updateInstance(ctx, path.instance_id, body)),
  updateAgents: async (ctx, { body }) =>
    viewRequestedUpdates(ctx, await ctx.services.agentUpdates.request(ctx, body)),
  createEnrolmentCode: async (ctx) => viewEnrolmentCode(await ctx.services.enrolment.createCode(ctx)),
  resetHostKey: async (ctx, { path }) => viewHost(await ctx.services.fleet.resetHostKey(ctx, path.host_id)),
  deleteHost: async (ctx, { path }) => ctx.services.fleet.deleteHost(ctx, path.host_id),
  deleteInstance: async (ctx, { path }) => ctx.services.fleet.deleteInstance(ctx, path.instance_id),
  listInstanceMetrics: async (ctx, { path, query }) =>
    viewPage(await ctx.services.fleet.listStats(ctx, path.instance_id, query), viewStats),
} satisfies Partial<Handlers>;

const viewEnrolmentCode = (created: CreatedCode): Schemas['EnrolmentCode'] => ({
  id: created.id,
  code: created.code,
  expires_at: created.expiresAt.toISOString(),
  agent_version: created.agentVersion,
  commands: { linux: created.commands.linux, windows: created.commands.windows },
});

const viewRequestedUpdates = (
  ctx: HandlerContext,
  { version, commands }: RequestedUpdates,
): Schemas['AgentUpdateCommands'] => ({
  version,
  commands: commands.map((command) => viewCommand(ctx, command)),
});

const viewUpdate = (update: NonNullable<HostRow['update']>): Schemas['AgentUpdate'] => ({
  command_id: update.id,
  version: String(update.args['version']),
  status: update.status === 'unconfirmed' ? 'sent' : update.status,
  error: viewOutcome(update).error,
  requested_at: update.created_at,
  finished_at: update.finished_at,
});

function viewHost(host: HostRow): Schemas['AgentHost'] {
  return {
    id: host.id,
    hostname: host.hostname,
    status: host.status,
    agent_version: host.agent_version,
    available_agent_version: host.availableVersion,
    agent_update: host.update === null ? null : viewUpdate(host.update),
    platform: host.platform,
    cpu_percent: host.cpu_percent,
    memory_used_bytes: host.memory_used_bytes,
    memory_total_bytes: host.memory_total_bytes,
    disk_used_bytes: host.disk_used_bytes,
    disk_total_bytes: host.disk_total_bytes,
    clock_offset_ms: host.clock_offset_ms,
    last_heartbeat_at: host.last_heartbeat_at,
    key_reset_expires_at: host.key_reset_expires_at,
    created_at: host.created_at,
  };
}

function viewInstance(instance: InstanceRow): Schemas['GameInstance'] {
  return {
    id: instance.id,
    host_id: instance.host_id,
    hostname: instance.hostname,
    name: instance.name,
    game: instance.game,
    capabilities: instance.capabilities,
    state: instance.state,
    uptime_seconds: instance.uptime_seconds,
    players: instance.players,
    max_players: instance.max_players,
    queued: instance.queued,
    fps: instance.fps,
    entities: instance.entities,
    map: instance.map,
    cpu_percent: instance.cpu_percent,
    memory_bytes: instance.memory_bytes,
    cluster_id: instance.cluster_id,
    managed_by: instance.managed_by,
    last_seen_at: instance.last_seen_at,
    created_at: instance.created_at,
  };
}

function viewStats(point: StatsRow): Schemas['InstanceMetrics'] {
  return {
    recorded_at: point.recorded_at,
    state: point.state,
    uptime_seconds: point.uptime_seconds,
    players: point.players,
    max_players: point.max_players,
    queued: point.queued,
    fps: point.fps,
    entities: point.entities,
    map: point.map,
    cpu_percent: point.cpu_percent,
    memory_bytes: point.memory_bytes,
  };
}
