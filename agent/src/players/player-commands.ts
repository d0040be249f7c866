// Kicks, bans, unbans and messages players of a Rust server over RCON, and returns the outcomes.
import type { HandlersOf } from '../commands/command-handler.ts';
import type { Schemas } from '../messages.ts';
import { RconError } from '../rcon/connection.ts';
import { isSteamId, readPlayers } from '../rcon/server-replies.ts';
import { quoted } from '../rcon/frames.ts';
import type { Rcon } from '../rcon/rcon.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';

/** The part of a server's RCON that this module uses. */
export type GameLine = Pick<Rcon, 'request'>;

type PlayerVerb = 'kick_player' | 'ban_player' | 'unban_player' | 'message_player';

/** In the queue of the instance's process. */
export function playerCommands(): HandlersOf<PlayerVerb> {
  return {
    kick_player: playerCommand(kick),
    ban_player: playerCommand(ban),
    unban_player: playerCommand(unban),
    message_player: playerCommand(message),
  };
}

function playerCommand<Arguments extends { steam_id: string }>(
  work: (game: GameLine, args: Arguments) => Promise<Outcome>,
) {
  return {
    queueOf: ({ instance }: { instance: string }) => instance,
    argumentFault: ({ steam_id }: Arguments) =>
      isSteamId(steam_id) ? null : 'args/steam_id is not a SteamID64 of a player',
    run: async ({ args }: { args: Arguments }, { context: { rcon } }: Instance): Promise<Outcome> => {
      if (rcon === null)
        return failed('not_supported', 'The agent’s configuration names no RCON for this instance.');
      try {
        return await work(rcon, args);
      } catch (error) {
        if (error instanceof RconError) return failed('game_unreachable', error.message);
        throw error;
      }
    },
  };
}

async function kick(game: GameLine, { steam_id, reason }: Schemas['KickPlayerArguments']): Promise<Outcome> {
  const player = await find(game, steam_id);
  if (player === undefined) return notThere(steam_id);
  const reply = await replyTo(game, `kick ${steam_id} ${quoted(reason ?? '')}`.trimEnd());
  if (/not found/i.test(reply)) return notThere(steam_id);
  if (/kicked/i.test(reply) || (await isGone(game, steam_id))) return succeeded(`${player.name} was kicked.`);
  return refusal(reply);
}

/** An existing ban stays unchanged, including its reason. */
async function ban(
  game: GameLine,
  { steam_id, reason, only_if_free }: Schemas['BanPlayerArguments'],
): Promise<Outcome> {
  if (only_if_free === true && (await isBanned(game, steam_id)))
    return failed('already_banned', `${steam_id} is already banned, but not by the platform.`);
  const player = await find(game, steam_id);
  const reply = await replyTo(game, `banid ${steam_id} ${quoted(player?.name ?? '')} ${quoted(reason)}`);
  const wasBanned = /already banned/i.test(reply);
  if (!wasBanned && !/\bbanned\b/i.test(reply) && !(await isBanned(game, steam_id))) return refusal(reply);
  const who = player?.name ?? steam_id;
  const banned = wasBanned ? `${who} was banned already.` : `${who} is banned.`;
  try {
    await replyTo(game, 'server.writecfg');
    // The ban alone does not remove a player who is online.
    if (player !== undefined) await replyTo(game, `kick ${steam_id} ${quoted(reason)}`);
  } catch (error) {
    if (!(error instanceof RconError)) throw error;
    return succeeded(`${banned} Whether the server has saved that is not known: ${error.message}`);
  }
  return succeeded(banned);
}

async function unban(game: GameLine, { steam_id }: Schemas['UnbanPlayerArguments']): Promise<Outcome> {
  const reply = await replyTo(game, `unban ${steam_id}`);
  const wasFree = /isn['’]t banned|not banned/i.test(reply);
  if (!wasFree && !/unbanned/i.test(reply) && (await isBanned(game, steam_id))) return refusal(reply);
  await replyTo(game, 'server.writecfg');
  return succeeded(wasFree ? `${steam_id} was not banned.` : `${steam_id} is no longer banned.`);
}

/** The game has no private messages: the text goes to the public chat with the player's name. */
async function message(
  game: GameLine,
  { steam_id, text }: Schemas['MessagePlayerArguments'],
): Promise<Outcome> {
  const player = await find(game, steam_id);
  if (player === undefined) return notThere(steam_id);
  await replyTo(game, `say ${quoted(`${player.name}: ${text}`)}`);
  return succeeded(`It was said to ${player.name} in the chat.`);
}

/** Some commands print nothing; their effect is checked afterwards. */
async function replyTo(game: GameLine, command: string): Promise<string> {
  try {
    return await game.request(command);
  } catch (error) {
    if (error instanceof RconError && error.fault === 'silent') return '';
    throw error;
  }
}

async function find(game: GameLine, steamId: string): Promise<Schemas['OnlinePlayer'] | undefined> {
  const players = readPlayers(await game.request('playerlist'));
  if (players === null) throw new RconError('broken', 'The game server returned no list of its players.');
  return players.find(({ steam_id }) => steam_id === steamId);
}

async function isGone(game: GameLine, steamId: string): Promise<boolean> {
  return (await find(game, steamId)) === undefined;
}

async function isBanned(game: GameLine, steamId: string): Promise<boolean> {
  return (await game.request('bans')).includes(steamId);
}

function notThere(steamId: string): Outcome {
  return failed('player_not_found', `${steamId} is not on the server.`);
}

function refusal(reply: string): Outcome {
  return failed(
    'game_refused',
    reply.trim() === '' ? 'The game server did not execute the command.' : reply.trim(),
  );
}
