// Operations of the area `agents`.
import type { components } from '../../generated/platform.d.ts';
import type { AgentSession, AgentSettings } from '../services/agents.ts';
import type { Handlers } from './handlers.ts';

export const agents = {
  createAgentSession: async (ctx, { body }) =>
    viewAgentSession(await ctx.services.agents.openSession(ctx, body), ctx.services.agents.settings),
} satisfies Partial<Handlers>;

function viewAgentSession(
  { hostId, credentials }: AgentSession,
  settings: AgentSettings,
): components['schemas']['AgentSession'] {
  return {
    host_id: hostId,
    heartbeat_interval_seconds: settings.heartbeatIntervalSeconds,
    server_time: new Date().toISOString(),
    bus: {
      urls: settings.busUrls,
      jwt: credentials.jwt,
      expires_at: credentials.expiresAt.toISOString(),
      prefix: settings.busPrefix,
    },
  };
}
