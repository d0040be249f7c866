// Operations of the area `players`.
import type { Schemas } from '../platform-contract/types.ts';
import type { OnlinePlayers, PlayerActionRow, PlayerRecordRow } from '../services/players/index.ts';
import { accepting } from './commands.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const players = {
  listOnlinePlayers: async (ctx, { path }) =>
    viewOnlinePlayers(await ctx.services.players.list(ctx, path.instance_id)),
  getPlayer: async (ctx, { path }) => viewPlayerRecord(await ctx.services.players.get(ctx, path)),
  kickPlayer: accepting((ctx, { path, body }) => ctx.services.players.kick(ctx, path, body)),
  banPlayer: accepting((ctx, { path, body }) => ctx.services.players.ban(ctx, path, body)),
  unbanPlayer: accepting((ctx, { path, body }) => ctx.services.players.unban(ctx, path, body)),
  messagePlayer: accepting((ctx, { path, body }) => ctx.services.players.message(ctx, path, body)),
  addPlayerNote: async (ctx, { path, body }) =>
    viewPlayerAction(await ctx.services.players.addNote(ctx, path, body)),
  listPlayerActions: async (ctx, { query }) =>
    viewPage(await ctx.services.players.listActions(ctx, query), viewPlayerAction),
} satisfies Partial<Handlers>;

function viewOnlinePlayers({ at, players: online }: OnlinePlayers): Schemas['OnlinePlayerList'] {
  return {
    observed_at: at,
    data: online.map(({ steam_id, name, ping_ms, connected_seconds }) => ({
      steam_id,
      name,
      ping_ms,
      connected_seconds,
    })),
  };
}

function viewPlayerRecord(record: PlayerRecordRow): Schemas['PlayerRecord'] {
  const counts = { kick: 0, ban: 0, unban: 0, message: 0, note: 0 };
  for (const { kind, count } of record.counts) counts[kind] = Number(count);
  return {
    steam_id: record.steamId,
    instance_id: record.instanceId,
    ban: record.ban && viewPlayerAction(record.ban),
    uncertain_ban: record.uncertainBan && viewPlayerAction(record.uncertainBan),
    counts,
    actions: record.actions.map(viewPlayerAction),
  };
}

function viewPlayerAction(action: PlayerActionRow): Schemas['PlayerAction'] {
  const failed = action.error_code !== null;
  return {
    id: action.id,
    kind: action.kind,
    steam_id: action.steam_id,
    instance_id: action.instance_id,
    instance_name: action.instance_name,
    text: action.text,
    until: action.until,
    requested_by: action.requested_by,
    command_id: action.command_id,
    status: action.status ?? 'pending',
    detail: failed ? null : action.detail,
    error: failed ? { code: action.error_code ?? '', detail: action.detail ?? '' } : null,
    created_at: action.created_at,
    finished_at: action.finished_at,
    ended_at: action.ended_at,
  };
}
