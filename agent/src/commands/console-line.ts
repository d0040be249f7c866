// Turns the commands that are typed into the lines to type, and types them.
import { filledIn } from '../deliveries/template.ts';
import type { CommandEnvelope, Messages, Parsed, Schemas } from '../messages.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, messageOf, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';

interface TypedLine {
  line: string;
  by: string;
}

interface TypedLines {
  lines: readonly string[];
  by: string;
}

type TypedCommand = CommandEnvelope & { verb: 'announce' | 'type' | 'type_lines' };

export function isTypedVerb(verb: string): verb is TypedCommand['verb'] {
  return verb === 'announce' || verb === 'type' || verb === 'type_lines';
}

/** The lines that the command stands for. */
export function consoleLinesOf(
  { verb, args }: Pick<TypedCommand, 'verb' | 'args'>,
  messages: Messages,
): Parsed<TypedLines> {
  switch (verb) {
    case 'announce':
      return mapped(messages.check('AnnounceArguments', args), ({ message, by }) => ({
        lines: [`say ${message}`],
        by,
      }));
    case 'type':
      return mapped(messages.check('TypeArguments', args), ({ line, by }) => ({ lines: [line], by }));
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

/** Types each line once; whether the server understood them is in its console. */
export function typeLines(instance: Instance, { lines, by }: TypedLines): Outcome {
  for (const [index, line] of lines.entries()) {
    const outcome = typeLine(instance, { line, by });
    if (!outcome.isSuccess && index > 0)
      return failed(outcome.errorCode, `${index} of ${lines.length} lines were typed: ${outcome.detail}`);
    if (!outcome.isSuccess || lines.length === 1) return outcome;
  }
  return succeeded(`${lines.length} lines were typed at the console.`);
}

/** Types the line once. */
export function typeLine(instance: Instance, { line, by }: TypedLine): Outcome {
  if (instance.pid === null)
    return failed('not_running', `The instance is ${instance.state}; nothing was typed.`);
  try {
    instance.sendLine(line);
  } catch (error) {
    return failed('input_failed', messageOf(error));
  }
  instance.context.console.echo(by, line);
  return succeeded(`"${line}" was typed at the console.`);
}

function mapped<From, To>(parsed: Parsed<From>, map: (value: From) => To): Parsed<To> {
  return parsed.isValid ? { isValid: true, value: map(parsed.value) } : parsed;
}
