// Converts the console commands of the platform into lines, and types them.
import { aborted } from '../backoff.ts';
import { filledIn } from '../deliveries/template.ts';
import { announcementLine } from '../games.ts';
import type { CommandEnvelope, Messages, Parsed, Schemas } from '../messages.ts';
import { isUnknownCommand } from '../rcon/frames.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, messageOf, succeeded, unconfirmed } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { outputOf, PrintedLines } from './console-output.ts';

interface TypedLine {
  line: string;
  by: string;
  wantsOutput?: boolean;
}

interface TypedLines {
  lines: readonly string[];
  by: string;
  wantsOutput?: boolean;
}

type TypedCommand = CommandEnvelope & { verb: 'announce' | 'type' | 'type_lines' };

export function isTypedVerb(verb: string): verb is TypedCommand['verb'] {
  return verb === 'announce' || verb === 'type' || verb === 'type_lines';
}

/** Whether the result must include the game server's output. */
export function wantsOutput({ verb, args }: Pick<CommandEnvelope, 'verb' | 'args'>): boolean {
  return verb === 'type' && args['wants_output'] === true;
}

/** Types the lines of the command. Stops waiting for replies once the signal fires. */
export async function carryOutTyped(
  command: Pick<TypedCommand, 'verb' | 'args'>,
  instance: Instance,
  messages: Messages,
  superseded: AbortSignal,
): Promise<Outcome> {
  const { announce } = instance.context.config.console;
  if (command.verb === 'announce' && announce === null)
    return failed('not_supported', 'The agent knows no console command by which this game announces.');
  const typed = consoleLinesOf(command, announce ?? '', messages);
  return typed.isValid ? typeLines(instance, typed.value, superseded) : failed('internal', typed.detail);
}

function consoleLinesOf(
  { verb, args }: Pick<TypedCommand, 'verb' | 'args'>,
  announce: string,
  messages: Messages,
): Parsed<TypedLines> {
  switch (verb) {
    case 'announce':
      return mapped(messages.check('AnnounceArguments', args), ({ message, by }) => ({
        lines: [announcementLine(announce, message)],
        by,
      }));
    case 'type':
      return mapped(
        messages.check('TypeArguments', args),
        ({ line, by, wants_output: wantsOutput = false }) => ({
          lines: [line],
          by,
          wantsOutput,
        }),
      );
    case 'type_lines': {
      const parsed = messages.check('TypeLinesArguments', args);
      return parsed.isValid ? filledLines(parsed.value) : parsed;
    }
  }
}

function filledLines({ lines, by, ...values }: Schemas['TypeLinesArguments']): Parsed<TypedLines> {
  try {
    return { isValid: true, value: { lines: filledIn(lines, values), by } };
  } catch (error) {
    return { isValid: false, detail: messageOf(error) };
  }
}

/** Types each line once, in order. The outcome is confirmed only if the game server confirms every line. */
async function typeLines(
  instance: Instance,
  { lines, ...how }: TypedLines,
  superseded: AbortSignal,
): Promise<Outcome> {
  let isConfirmed = true;
  for (const [index, line] of lines.entries()) {
    const outcome = await typeLine(instance, { line, ...how }, superseded);
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
  const said = reply.trim() === '' ? '' : ` It replied: ${reply.trim()}`;
  return succeeded(`"${line}" was typed at the console; the game server has taken it.${said}`);
}

/** The outcome without the reply's text: the outcome is visible to more users than the output. */
function outcomeBesideOutput(reply: string | null): Outcome {
  if (reply === null) return unconfirmed(`The line was typed at the console; ${nothingConfirms}`);
  if (isUnknownCommand(reply)) return failed('game_refused', 'The game server has no such command.');
  return succeeded('The line was typed at the console; the game server has taken it.');
}

function mapped<From, To>(parsed: Parsed<From>, map: (value: From) => To): Parsed<To> {
  return parsed.isValid ? { isValid: true, value: map(parsed.value) } : parsed;
}
