// Operations of the area `agents`.
import type { Schemas } from '../platform-contract/types.ts';
import type { EnrolledHost } from '../services/agents/enrolment.ts';
import type { AgentSession } from '../services/agents/index.ts';
import type { Handlers } from './handlers.ts';

export const agents = {
  createAgentSession: async (ctx, { body }) =>
    viewAgentSession(await ctx.services.agents.openSession(ctx, body)),
  enrollHost: async (ctx, { body }) => viewEnrolledHost(await ctx.services.enrolment.redeem(body)),
} satisfies Partial<Handlers>;

function viewAgentSession(session: AgentSession): Schemas['AgentSession'] {
  return {
    host_id: session.hostId,
    heartbeat_interval_seconds: session.heartbeatIntervalSeconds,
    server_time: session.serverTime.toISOString(),
    bus: {
      urls: session.busUrls,
      jwt: session.credentials.jwt,
      expires_at: session.credentials.expiresAt.toISOString(),
      prefix: session.busPrefix,
    },
  };
}

const viewEnrolledHost = ({ hostId, hostname }: EnrolledHost): Schemas['EnrolledHost'] => ({
  host_id: hostId,
  hostname,
  server_time: new Date().toISOString(),
});
