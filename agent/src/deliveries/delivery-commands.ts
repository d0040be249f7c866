// Runs deliveries: each is executed at most once, even if the agent, the connection or the reply is lost.
import type { CommandArea } from '../commands/area.ts';
import { NoRoomError } from '../files/append-log.ts';
import type { CommandEnvelope, Messages, Schemas } from '../messages.ts';
import { RconError } from '../rcon/connection.ts';
import type { OnlinePlayer } from '../rcon/figures.ts';
import { isRequestable, isUnknownCommand } from '../rcon/frames.ts';
import type { Rcon } from '../rcon/rcon.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, messageOf, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import type { DeliveryRecord, DeliveryRecords } from './delivery-records.ts';
import { isMark, marking, traceOf } from './mark.ts';
import { filledIn } from './template.ts';

type Args = Schemas['DeliverArgs'];

/** Commands that an earlier agent sent may still arrive for 2 s. */
const settledAfterMs = 2_000;

export function deliveryCommands({
  messages,
  records,
}: {
  messages: Messages;
  records: DeliveryRecords;
}): CommandArea {
  return {
    verbs: ['deliver'],
    lineOf: ({ instance }) => `${instance} deliveries`,
    faultOfArguments: ({ args }) => {
      const parsed = messages.check('DeliverArgs', args);
      return parsed.isValid ? null : `args${parsed.detail}`;
    },
    carryOut: (command, instance) => carryOut(command, instance, { messages, records }),
  };
}

async function carryOut(
  { args }: CommandEnvelope,
  instance: Instance,
  { messages, records }: { messages: Messages; records: DeliveryRecords },
): Promise<Outcome> {
  const parsed = messages.check('DeliverArgs', args);
  if (!parsed.isValid) return failed('internal', parsed.detail);
  const delivery = parsed.value;
  const record = records.get(delivery.delivery_id);
  if (record !== undefined && record.outcome !== null) return record.outcome;
  const { rcon } = instance.context;
  if (rcon === null)
    return failed('not_supported', 'The agent’s configuration names no RCON for this instance.');
  if (instance.pid === null)
    return failed('not_running', `The instance is ${instance.state}; nothing was typed.`);
  try {
    if (record !== undefined) {
      const told = await judge(delivery.delivery_id, record, { rcon, startedAtMs: instance.startedAtMs });
      if (told !== null) return await ended(records, delivery.delivery_id, told);
    }
    return await deliver(delivery, { rcon, records, startedAtMs: instance.startedAtMs });
  } catch (error) {
    if (error instanceof RconError) return failed('game_unreachable', error.message);
    if (error instanceof NoRoomError)
      return failed('disk_full', 'The agent has no room to remember the delivery; nothing was typed.');
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
async function judge(
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
    'It was being typed when the agent or the connection ended; whether the game server has taken it can not be told.',
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
    return failed('invalid', `Command ${tooLong + 1} is too long once it is filled in; nothing was typed.`);
  await said(rcon, [marking('prepared', id)], (line) => isMark(line, 'prepared', id));
  await records.begin(id, startedAtMs);
  let replies: string[];
  try {
    replies = await typed(rcon, id, commands);
  } catch (error) {
    if (!(error instanceof NothingSent)) throw error;
    await records.withdraw(id);
    return failed('input_failed', `Nothing was typed: ${error.message}`);
  }
  const refused = replies.find(isUnknownCommand);
  const count = `${commands.length} ${commands.length === 1 ? 'command' : 'commands'}`;
  return ended(
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
async function typed(rcon: Rcon, id: string, commands: readonly string[]): Promise<string[]> {
  const lines = [marking('begun', id), ...commands, marking('delivery', id)];
  try {
    const replies = await said(rcon, lines, (line) => isMark(line, 'delivery', id));
    return replies.slice(1);
  } catch (error) {
    if (error instanceof NothingSent || (await traceOf(rcon, id)) !== 'whole') throw error;
    return [];
  }
}

/** None of the lines was sent. */
class NothingSent extends RconError {}

/**
 * Sends the lines in one piece. Returns the replies to all but the last line, once that one is answered or `isLast`
 * matches the server's output.
 */
async function said(
  rcon: Rcon,
  lines: readonly string[],
  isLast: (line: string) => boolean,
): Promise<string[]> {
  const replies: string[] = [];
  const heard = Promise.withResolvers<void>();
  const stopListening = rcon.listen((told) => {
    if (told.some(isLast)) heard.resolve();
  });
  try {
    const answers = sentTogether(rcon, lines);
    for (const [index, answer] of answers.slice(0, -1).entries())
      answer.then((reply) => (replies[index] = reply)).catch(() => undefined);
    await Promise.race([heard.promise, answers.at(-1)]);
    return replies.map((reply) => reply ?? '');
  } finally {
    stopListening();
  }
}

function sentTogether(rcon: Rcon, lines: readonly string[]): Promise<string>[] {
  try {
    return rcon.requestTogether(lines);
  } catch (error) {
    if (error instanceof RconError) throw new NothingSent(error.fault, error.message);
    throw error;
  }
}

async function ended(records: DeliveryRecords, id: string, outcome: Outcome): Promise<Outcome> {
  await records.end(id, outcome);
  return outcome;
}
