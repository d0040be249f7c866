// Players of simulated servers: they join, talk and leave.
import { nextBelow, nextOf, nextRandom, nextUuid } from './random.ts';
import { plan, print, type SimulatedHost, type SimulatedPlayer, type SimulatedServer } from './state.ts';

const names = [
  ...([
    'Ash',
    'Aster',
    'Birch',
    'Bracken',
    'Briar',
    'Cedar',
    'Clover',
    'Elm',
    'Fern',
    'Gorse',
    'Hazel',
  ] as const),
  ...([
    'Heath',
    'Ivy',
    'Juniper',
    'Larch',
    'Laurel',
    'Linden',
    'Maple',
    'Moss',
    'Nettle',
    'Oak',
    'Reed',
  ] as const),
  ...([
    'Rowan',
    'Rush',
    'Sage',
    'Sedge',
    'Sorrel',
    'Teasel',
    'Thistle',
    'Thyme',
    'Willow',
    'Yarrow',
  ] as const),
] as const;

const sayings = [
  'hello',
  'anyone selling sulfur?',
  'nice base',
  'who is at the airfield?',
  'gg',
  'when is the next wipe?',
  'need a teammate',
  'lag?',
] as const;

/** Steam gives accounts ascending numbers and has given half of the range; these are at its end, of no person. */
const firstSteamId = 76_561_202_255_200_000n;
export const playersEveryMs = 60_000;
/** How many players a running server tends to have. */
const typicalPlayers = 12;
const maxSigns = 500;

export const steamIdOf = (index: number) => (firstSteamId + BigInt(index)).toString();

export function join(
  host: SimulatedHost,
  instance: string,
  nowMs: number,
  { steamId: wantedId, name: wantedName }: { steamId?: string | undefined; name?: string | undefined } = {},
): SimulatedPlayer | undefined {
  const server = host.servers[instance];
  if (server?.state !== 'running' || server.players.length >= server.maxPlayers) return undefined;
  const drawn = wantedId === undefined ? newPlayer(host, server) : { steamId: wantedId, name: 'Ash' };
  if (drawn === undefined || server.bans.includes(drawn.steamId)) return undefined;
  const chosen = { steamId: drawn.steamId, name: wantedName ?? drawn.name };
  const known = server.players.find(({ steamId }) => steamId === chosen.steamId);
  if (known !== undefined) return known;
  const joined = { ...chosen, joinedMs: nowMs, pingMs: 15 + nextBelow(host, 90) };
  server.players.push(joined);
  print(server, `${joined.name} has entered the game`, nowMs);
  sign(host, instance, joined, 'join', nowMs);
  return joined;
}

export function leave(
  host: SimulatedHost,
  instance: string,
  nowMs: number,
  steamId: string,
): SimulatedPlayer | undefined {
  const server = host.servers[instance];
  const player = server?.players.find((one) => one.steamId === steamId);
  if (server === undefined || player === undefined) return undefined;
  server.players = server.players.filter((one) => one !== player);
  print(server, `${player.name} disconnecting: disconnect`, nowMs);
  sign(host, instance, player, 'leave', nowMs);
  return player;
}

export function leaveAll(host: SimulatedHost, instance: string, nowMs: number): void {
  for (const { steamId } of host.servers[instance]?.players ?? []) leave(host, instance, nowMs, steamId);
}

export function chat(
  host: SimulatedHost,
  instance: string,
  nowMs: number,
  { steamId, text }: { steamId: string; text: string },
): SimulatedPlayer | undefined {
  const server = host.servers[instance];
  const player = server?.players.find((one) => one.steamId === steamId);
  if (server === undefined || player === undefined) return undefined;
  print(server, `[CHAT] ${player.name}[${steamId}] : ${text}`, nowMs);
  return player;
}

/** One round of coming and going, and the next one in a minute. */
export function livePlayers(host: SimulatedHost, instance: string, nowMs: number): void {
  const server = host.servers[instance];
  if (server?.state !== 'running') return;
  const lacking = typicalPlayers - server.players.length;
  if (nextRandom(host) < 0.5 + lacking / (2 * typicalPlayers)) join(host, instance, nowMs);
  else {
    const leaving = server.players[nextBelow(host, server.players.length)];
    if (leaving !== undefined) leave(host, instance, nowMs, leaving.steamId);
  }
  const speaking = server.players[nextBelow(host, server.players.length)];
  if (speaking !== undefined)
    chat(host, instance, nowMs, { steamId: speaking.steamId, text: nextOf(host, sayings) });
  plan(host, { atMs: nowMs + playersEveryMs, instance, kind: 'players' });
}

function newPlayer(host: SimulatedHost, server: SimulatedServer) {
  const start = nextBelow(host, names.length);
  for (let turn = 0; turn < names.length; turn += 1) {
    const index = (start + turn) % names.length;
    const steamId = steamIdOf(index);
    const name = names[index];
    if (
      name !== undefined &&
      !server.bans.includes(steamId) &&
      !server.players.some((one) => one.steamId === steamId)
    )
      return { steamId, name };
  }
  return undefined;
}

function sign(
  host: SimulatedHost,
  instance: string,
  { steamId, name }: SimulatedPlayer,
  event: 'join' | 'leave',
  atMs: number,
): void {
  host.signs = [...host.signs, { instance, steamId, name, event, atMs, id: nextUuid(host) }].slice(-maxSigns);
}
