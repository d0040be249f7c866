// Runs deliveries: each is executed at most once, even if the agent, the connection or the reply is lost.
import type { HandlersOf } from '../commands/command-handler.ts';
import { NoRoomError } from '../state-files/append-log.ts';
import type { Schemas } from '../messages.ts';
import { RconError } from '../rcon/connection.ts';
import type { OnlinePlayer } from '../rcon/server-replies.ts';
import { isRequestable, isUnknownCommand } from '../rcon/frames.ts';
import type { Rcon } from '../rcon/rcon.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, messageOf, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import type { DeliveryRecord, DeliveryRecords } from './delivery-records.ts';
import { isMark, marking, traceOf } from './delivery-marks.ts';
import { filledIn } from './template.ts';

type Args = Schemas['DeliverArguments'];

/** Commands that an earlier agent sent may still arrive for 2 s. */
const settledAfterMs = 2_000;

export function deliveryCommands(records: DeliveryRecords): HandlersOf<'deliver'> {
  return {
    deliver: {
      queueOf: ({ instance }) => `${instance} deliveries`,
      run: ({ args }, instance) => run(args, instance, records),
    },
  };
}

async function run(delivery: Args, instance: Instance, records: DeliveryRecords): Promise<Outcome> {
  const record = records.get(delivery.delivery_id);
  if (record !== undefined && record.outcome !== null) return record.outcome;
  const { rcon } = instance.context;
  if (rcon === null)
    return failed('not_supported', 'The agent’s configuration names no RCON for this instance.');
  if (instance.pid === null)
    return failed('not_running', `The instance is ${instance.state}; nothing was typed.`);
  try {
    if (record !== undefined) {
      const server = { rcon, startedAtMs: instance.startedAtMs };
      const outcome = await outcomeOfBegun(delivery.delivery_id, record, server);
      if (outcome !== null) return await recorded(records, delivery.delivery_id, outcome);
    }
    return await deliver(delivery, { rcon, records, startedAtMs: instance.startedAtMs });
  } catch (error) {
    if (error instanceof RconError) return failed('game_unreachable', error.message);
    if (error instanceof NoRoomError)
      return failed('disk_full', 'The agent has no space to record the delivery; nothing was typed.');
    throw error;
  }
}

interface Game {
  rcon: Rcon;
  startedAtMs: number | null;
}

/**
 * Returns the outcome of a delivery that was begun but not ended. Null when the server certainly received nothing, so
 * that it can be sent again.
 */
async function outcomeOfBegun(
  id: string,
  { begunAtMs, serverStartedAtMs }: DeliveryRecord,
  { rcon, startedAtMs }: Game,
): Promise<Outcome | null> {
  const waitMs = Math.min(begunAtMs + settledAfterMs - Date.now(), settledAfterMs);
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  const isSameServer = startedAtMs !== null && startedAtMs === serverStartedAtMs;
  const trace = isSameServer ? await traceOf(rcon, id) : 'unknown';
  if (trace === 'untaken') return null;
  if (trace === 'whole') return succeeded('The game server had taken it; its console has the mark.');
  return failed(
    'delivery_uncertain',
    'It was being typed when the agent or the connection ended; whether the game server has taken it is unknown.',
  );
}

async function deliver(
  delivery: Args,
  { rcon, records, startedAtMs }: Game & { records: DeliveryRecords },
): Promise<Outcome> {
  const { delivery_id: id, steam_id: steamId } = delivery;
  const player = await playerOf(rcon, delivery);
  if (player === undefined && delivery.needs_online_player)
    return failed('player_not_found', `${steamId} is not on the server.`);
  let commands: string[];
  try {
    commands = filledIn(delivery.commands, {
      ...delivery,
      player_name: player?.name ?? delivery.player_name,
    });
  } catch (error) {
    return failed('invalid', messageOf(error));
  }
  const tooLong = commands.findIndex((command) => !isRequestable(command));
  if (tooLong !== -1)
    return failed(
      'invalid',
      `Command ${tooLong + 1} is too long after its placeholders are replaced; nothing was typed.`,
    );
  await sendLines(rcon, [marking('prepared', id)], (line) => isMark(line, 'prepared', id));
  await records.begin(id, startedAtMs);
  let replies: string[];
  try {
    replies = await sendCommands(rcon, id, commands);
  } catch (error) {
    if (!(error instanceof NothingSent)) throw error;
    await records.withdraw(id);
    return failed('input_failed', `Nothing was typed: ${error.message}`);
  }
  const refused = replies.find(isUnknownCommand);
  const count = `${commands.length} ${commands.length === 1 ? 'command' : 'commands'}`;
  return recorded(
    records,
    id,
    refused === undefined
      ? succeeded(`The game server has taken ${count}.`)
      : failed('game_refused', `Of ${count}: ${refused.trim()}`),
  );
}

/** Requests the player list only when the delivery needs it. Returns undefined for an offline player. */
async function playerOf(rcon: Rcon, delivery: Args): Promise<OnlinePlayer | undefined> {
  const isNamed = delivery.commands.some((command) => command.includes('{player_name}'));
  if (!isNamed && !delivery.needs_online_player) return undefined;
  try {
    const { players } = await rcon.players();
    return players.find(({ steam_id }) => steam_id === delivery.steam_id);
  } catch (error) {
    if (error instanceof RconError && !delivery.needs_online_player) return undefined;
    throw error;
  }
}

/** Sends all commands together between their marks. Returns the replies that arrived before the last mark. */
async function sendCommands(rcon: Rcon, id: string, commands: readonly string[]): Promise<string[]> {
  const lines = [marking('begun', id), ...commands, marking('delivery', id)];
  try {
    const replies = await sendLines(rcon, lines, (line) => isMark(line, 'delivery', id));
    return replies.slice(1);
  } catch (error) {
    if (error instanceof NothingSent || (await traceOf(rcon, id)) !== 'whole') throw error;
    return [];
  }
}

/** None of the lines was sent. */
class NothingSent extends RconError {}

/**
 * Sends the lines in one piece. Returns the replies to all but the last line, once the last one has a reply or `isLast`
 * matches the server's output.
 */
async function sendLines(
  rcon: Rcon,
  lines: readonly string[],
  isLast: (line: string) => boolean,
): Promise<string[]> {
  const replies: string[] = [];
  const lastSeen = Promise.withResolvers<void>();
  const stopListening = rcon.listen((output) => {
    if (output.some(isLast)) lastSeen.resolve();
  });
  try {
    const pending = sendTogether(rcon, lines);
    for (const [index, pendingReply] of pending.slice(0, -1).entries())
      pendingReply.then((reply) => (replies[index] = reply)).catch(() => undefined);
    await Promise.race([lastSeen.promise, pending.at(-1)]);
    return replies.map((reply) => reply ?? '');
  } finally {
    stopListening();
  }
}

function sendTogether(rcon: Rcon, lines: readonly string[]): Promise<string>[] {
  try {
    return rcon.requestTogether(lines);
  } catch (error) {
    if (error instanceof RconError) throw new NothingSent(error.fault, error.message);
    throw error;
  }
}

async function recorded(records: DeliveryRecords, id: string, outcome: Outcome): Promise<Outcome> {
  await records.end(id, outcome);
  return outcome;
}
