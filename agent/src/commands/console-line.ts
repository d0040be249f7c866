// Turns the commands that are typed into the line to type, and types it.
import type { CommandEnvelope, Messages, Parsed } from '../messages.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, messageOf, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';

interface TypedLine {
  line: string;
  by: string;
}

type TypedCommand = CommandEnvelope & { verb: 'announce' | 'type' };

export function isTypedVerb(verb: string): verb is TypedCommand['verb'] {
  return verb === 'announce' || verb === 'type';
}

/** The line that the command stands for. */
export function consoleLineOf(
  { verb, args }: Pick<TypedCommand, 'verb' | 'args'>,
  messages: Messages,
): Parsed<TypedLine> {
  switch (verb) {
    case 'announce':
      return mapped(messages.check('AnnounceArguments', args), ({ message, by }) => ({
        line: `say ${message}`,
        by,
      }));
    case 'type':
      return messages.check('TypeArguments', args);
  }
}

/** Types the line once; whether the server understood it is in its console. */
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
