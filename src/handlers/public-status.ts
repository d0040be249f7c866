// Operations of the area `public-status`.
import type { Schemas } from '../platform-contract/types.ts';
import type { PublicServer, PublicStatusPage } from '../services/public-status/index.ts';
import type { Handlers } from './handlers.ts';
import { viewWipeSchedule } from './site-config.ts';

export const publicStatus = {
  getPublicStatus: async (ctx, { query }) => ctx.services.publicStatus.get(query, viewStatus),
} satisfies Partial<Handlers>;

function viewStatus({ health, license, rows, nextCursor }: PublicStatusPage): Schemas['StatusPageResponse'] {
  return {
    platform: {
      total_servers: health.total_servers,
      online_servers: health.online_servers,
      total_players: health.total_players,
    },
    license: license
      ? { name: license.name, subdomain: license.subdomain, description: license.description }
      : null,
    data: rows.map(viewServer),
    next_cursor: nextCursor,
  };
}

function viewServer(server: PublicServer): Schemas['PublicServerStatus'] {
  const status = server.state === 'running' ? 'online' : server.state === 'starting' ? 'starting' : 'offline';
  const whileOnline = <Value>(value: Value) => (status === 'online' ? value : null);
  return {
    id: server.id,
    name: server.name,
    description: server.description,
    license_name: server.license_name,
    subdomain: server.subdomain,
    status,
    status_since: server.uptime?.since ?? null,
    game: server.game,
    map: whileOnline(server.map),
    players: whileOnline(server.players),
    max_players: server.max_players,
    queued: whileOnline(server.queued),
    fps: whileOnline(server.fps),
    uptime: {
      last_24_hours: server.uptime?.last_24_hours ?? null,
      last_7_days: server.uptime?.last_7_days ?? null,
      last_30_days: server.uptime?.last_30_days ?? null,
    },
    wipes: viewWipes(server),
  };
}

function viewWipes(server: PublicServer): Schemas['PublicWipes'] {
  const { last_kind: kind, last_finished_at: finishedAt } = server.wipes ?? {};
  return {
    last: kind && finishedAt ? { kind, finished_at: finishedAt } : null,
    next_at: server.nextWipe,
    schedule: viewWipeSchedule(server),
  };
}
