// How a simulated host replies to requests about its game servers.
import type { BusSchemas, RequestOf, RequestVerb } from '../platform-contract/bus-types.ts';
import { typeLine } from './console.ts';
import { ownValue, type SimulatedHost, type SimulatedServer } from './state.ts';

type ErrorCode = BusSchemas['ReplyError']['code'];

const refused = (code: ErrorCode, detail: string) => ({ v: 1 as const, ok: false, error: { code, detail } });

/** Requests about files are handled elsewhere. */
export type ServerRequest = Exclude<RequestVerb, `file-${string}`>;

/** The reply to the request. It may change the state: a line that is typed does. */
export function respond(host: SimulatedHost, verb: ServerRequest, request: unknown, nowMs: number): object {
  if (verb === 'presence') return { v: 1, ok: true };
  const { instance } = request as { instance: string };
  const server = ownValue(host.servers, instance);
  if (server === undefined) return refused('unknown_instance', `There is no ${instance}.`);
  const at = new Date(nowMs).toISOString();
  switch (verb) {
    case 'players':
      if (server.state !== 'running') return refused('not_running', 'The instance is not running.');
      return { v: 1, ok: true, at, players: server.players.map((player) => onlinePlayer(player, nowMs)) };
    case 'plugins':
      if (server.state !== 'running') return refused('not_running', 'The instance is not running.');
      return {
        v: 1,
        ok: true,
        at,
        framework: 'oxide',
        framework_version: '2.0.6512',
        plugins: server.plugins,
      };
    case 'plugin-copies':
      return { v: 1, ok: true, copies: [] };
    case 'console-tail':
      return consoleTail(host, server, request as RequestOf<'console-tail'>);
    case 'console-input': {
      if (server.state !== 'running') return refused('not_running', 'The instance is not running.');
      const { line, by } = request as RequestOf<'console-input'>;
      typeLine(host, instance, nowMs, { line, by });
      return { v: 1, ok: true };
    }
    case 'wipe-plan':
      return { v: 1, ok: true, plan: wipePlan(server, (request as RequestOf<'wipe-plan'>).request) };
  }
}

function onlinePlayer(
  { steamId, name, pingMs, joinedMs }: SimulatedServer['players'][number],
  nowMs: number,
): BusSchemas['OnlinePlayer'] {
  const connected_seconds = Math.max(0, Math.floor((nowMs - joinedMs) / 1_000));
  return { steam_id: steamId, name, ping_ms: pingMs, connected_seconds };
}

function consoleTail(
  { boot }: SimulatedHost,
  { lines, state }: SimulatedServer,
  { limit, after_seq: afterSeq, boot: knownBoot, before }: RequestOf<'console-tail'>,
): BusSchemas['ConsoleTailReply'] {
  if (before !== undefined) {
    const isKnown = before.boot === undefined || before.boot === boot;
    const earlier = isKnown ? lines.filter(({ seq }) => seq < (before.seq ?? Infinity)) : [];
    return { v: 1, ok: true, boot, state, lines: earlier.slice(-limit), has_earlier: earlier.length > limit };
  }
  const after = knownBoot === undefined || knownBoot === boot ? (afterSeq ?? 0) : 0;
  return { v: 1, ok: true, boot, state, lines: lines.filter(({ seq }) => seq > after).slice(-limit) };
}

function wipePlan(server: SimulatedServer, request: BusSchemas['WipeRequest']): object {
  const isRunning = server.state === 'running';
  const before = { seed: server.seed, world_size: server.worldSize, level_url: null };
  const path = `server/main/proceduralmap.${server.worldSize}.${server.seed}.262.map`;
  return {
    files: [{ path, size: 62_914_560 }],
    total_bytes: 62_914_560,
    stops: isRunning,
    starts: isRunning || request.start,
    launch_before: before,
    launch_after: {
      seed: request.seed ?? before.seed,
      world_size: request.world_size ?? before.world_size,
      level_url: request.level_url ?? null,
    },
    announcements:
      request.countdown_seconds === 0
        ? []
        : [
            {
              before_seconds: request.countdown_seconds,
              text: request.message ?? `The map is wiped in ${request.countdown_seconds} seconds.`,
            },
          ],
  };
}
