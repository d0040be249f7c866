// Carries out deliveries: each once, whatever becomes of the agent, the connection or the answer meanwhile.
import type { CommandArea } from '../commands/area.ts';
import type { CommandEnvelope, Messages, Schemas } from '../messages.ts';
import { RconError } from '../rcon/connection.ts';
import type { OnlinePlayer } from '../rcon/figures.ts';
import type { Rcon } from '../rcon/rcon.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, messageOf, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import type { DeliveryRecord, DeliveryRecords } from './delivery-records.ts';
import { hasMark, isMark, keepsMarks, marking } from './mark.ts';
import { filledIn } from './template.ts';

type Args = Schemas['DeliverArgs'];

/** What was sent by an agent that has ended may be on its way for so long; the server's console is not kept for longer. */
const settledAfterMs = 2_000;
const tellableMs = 15 * 60_000;

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
    throw error;
  }
}

interface Game {
  rcon: Rcon;
  startedAtMs: number | null;
}

/** What became of one that was begun and has not ended; null when it was never taken, so that it can be sent. */
async function judge(
  id: string,
  { begunAtMs, serverStartedAtMs }: DeliveryRecord,
  { rcon, startedAtMs }: Game,
): Promise<Outcome | null> {
  const waitMs = begunAtMs + settledAfterMs - Date.now();
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  const isSameServer = startedAtMs !== null && startedAtMs === serverStartedAtMs;
  if (isSameServer && (await hasMark(rcon, id)))
    return succeeded('The game server had taken it; its console has the mark.');
  const isTellable = isSameServer && Date.now() - begunAtMs < tellableMs && (await keepsMarks(rcon));
  if (isTellable) return null;
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
    return failed('game_refused', messageOf(error));
  }
  await records.begin(id, startedAtMs);
  const replies = await typed(rcon, id, commands);
  const refused = replies.find((reply) => /^(unknown command|command '.*' not found)/i.test(reply.trim()));
  const count = `${commands.length} ${commands.length === 1 ? 'command' : 'commands'}`;
  return ended(
    records,
    id,
    refused === undefined
      ? succeeded(`The game server has taken ${count}.`)
      : failed('game_refused', `Of ${count}: ${refused.trim()}`),
  );
}

/** Asked only where it matters; who is not there is none. */
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

/** Sends all in one go, with the mark behind them; what has been replied once the server has said the mark. */
async function typed(rcon: Rcon, id: string, commands: readonly string[]): Promise<string[]> {
  const replies: string[] = [];
  const said = Promise.withResolvers<void>();
  const stopListening = rcon.listen((lines) => {
    if (lines.some((line) => isMark(line, id))) said.resolve();
  });
  try {
    const answers = rcon.requestTogether([...commands, marking(id)]);
    for (const answer of answers.slice(0, -1))
      answer.then((reply) => replies.push(reply)).catch(() => undefined);
    const last = answers.at(-1) ?? Promise.resolve('');
    await Promise.race([said.promise, last]).catch(async (error: unknown) => {
      if (!(await hasMark(rcon, id))) throw error;
    });
    return replies;
  } finally {
    stopListening();
  }
}

async function ended(records: DeliveryRecords, id: string, outcome: Outcome): Promise<Outcome> {
  await records.end(id, outcome);
  return outcome;
}
