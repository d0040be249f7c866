// Runs the commands that type lines at the console of an instance.
import { aborted } from '../backoff.ts';
import { filledIn } from '../deliveries/template.ts';
import { announcementLine } from '../games.ts';
import { isUnknownCommand } from '../rcon/frames.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, messageOf, succeeded, unconfirmed } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import type { HandlersOf } from './command-handler.ts';
import { outputOf, PrintedLines } from './console-output.ts';

interface TypedLine {
  line: string;
  by: string;
  wantsOutput?: boolean;
}

interface TypedLines {
  lines: readonly string[];
  by: string;
}

/** The commands that become lines at the console of an instance. */
export function consoleCommands(): HandlersOf<'announce' | 'type' | 'type_lines'> {
  const queueOf = ({ instance }: { instance: string }) => instance;
  return {
    announce: {
      queueOf,
      run: async ({ args: { message, by } }, instance, superseded) => {
        const { announce } = instance.context.config.console;
        if (announce === null)
          return failed('not_supported', 'The agent has no console command for announcements in this game.');
        return typeLine(instance, { line: announcementLine(announce, message), by }, superseded);
      },
    },
    type: {
      // Lines with requested output run immediately, like those of a live console, even while the instance starts.
      queueOf: ({ instance, args }) => (args.wants_output === true ? `${instance} console` : instance),
      run: ({ args: { line, by, wants_output: wantsOutput = false } }, instance, superseded) =>
        typeLine(instance, { line, by, wantsOutput }, superseded),
    },
    type_lines: {
      queueOf,
      run: async ({ args: { lines, by, ...values } }, instance, superseded) => {
        let filled: string[];
        try {
          filled = filledIn(lines, values);
        } catch (error) {
          return failed('internal', messageOf(error));
        }
        return typeLines(instance, { lines: filled, by }, superseded);
      },
    },
  };
}

/** Types each line once, in order. The outcome is confirmed only if the game server confirms every line. */
async function typeLines(
  instance: Instance,
  { lines, by }: TypedLines,
  superseded: AbortSignal,
): Promise<Outcome> {
  let isConfirmed = true;
  for (const [index, line] of lines.entries()) {
    const outcome = await typeLine(instance, { line, by }, superseded);
    if (!outcome.isSuccess && index > 0)
      return failed(outcome.errorCode, `${index} of ${lines.length} lines were typed: ${outcome.detail}`);
    if (!outcome.isSuccess || lines.length === 1) return outcome;
    isConfirmed &&= outcome.isUnconfirmed !== true;
  }
  return isConfirmed
    ? succeeded(`${lines.length} lines were typed at the console; the game server has taken them.`)
    : unconfirmed(`${lines.length} lines were typed at the console; ${nothingConfirms}`);
}

const nothingConfirms = 'nothing confirms what the game server made of it.';

/** Types the line once and waits for the game server's reply, if it gives one, until the signal fires. */
export async function typeLine(
  instance: Instance,
  { line, by, wantsOutput = false }: TypedLine,
  superseded?: AbortSignal,
): Promise<Outcome> {
  if (instance.pid === null)
    return failed('not_running', `The instance is ${instance.state}; nothing was typed.`);
  if (!instance.hasConsole)
    return failed('not_supported', 'This game server reads no console commands; nothing was typed.');
  const printed = wantsOutput ? new PrintedLines(instance.context.console) : null;
  let replying: Promise<string | null>;
  try {
    replying = instance.sendLine(line);
  } catch (error) {
    printed?.stop();
    return failed('input_failed', messageOf(error));
  }
  instance.context.console.echo(by, line);
  const reply = await (superseded === undefined ? replying : unlessAborted(replying, superseded));
  if (printed === null) return outcomeOf(line, reply);
  const output = reply === null ? await printed.untilQuiet() : outputOf(reply, 'reply');
  printed.stop();
  return { ...outcomeBesideOutput(reply), output };
}

const unlessAborted = (replying: Promise<string | null>, signal: AbortSignal) =>
  Promise.race([replying, aborted(signal).then(() => null)]);

function outcomeOf(line: string, reply: string | null): Outcome {
  if (reply === null) return unconfirmed(`"${line}" was typed at the console; ${nothingConfirms}`);
  if (isUnknownCommand(reply)) return failed('game_refused', reply.trim());
  const gameReply = reply.trim() === '' ? '' : ` It replied: ${reply.trim()}`;
  return succeeded(`"${line}" was typed at the console; the game server has taken it.${gameReply}`);
}

/** The outcome without the reply's text: the outcome is visible to more users than the output. */
function outcomeBesideOutput(reply: string | null): Outcome {
  if (reply === null) return unconfirmed(`The line was typed at the console; ${nothingConfirms}`);
  if (isUnknownCommand(reply)) return failed('game_refused', 'The game server has no such command.');
  return succeeded('The line was typed at the console; the game server has taken it.');
}
