// Turns the commands that are typed into the line to type, and types it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandEnvelope, Messages, Parsed } from '../messages.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, messageOf, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';

interface TypedLine {
  line: string;
  by: string;
}

type TypedCommand = CommandEnvelope & { verb: 'announce' | 'reload_plugin' | 'type' };

export function isTypedVerb(verb: string): verb is TypedCommand['verb'] {
  return verb === 'announce' || verb === 'reload_plugin' || verb === 'type';
}

/** The line that the command stands for. */
export function consoleLineOf(
  { verb, args }: Pick<TypedCommand, 'verb' | 'args'>,
  messages: Messages,
  isCarbon: boolean,
): Parsed<TypedLine> {
  switch (verb) {
    case 'announce':
      return mapped(messages.check('AnnounceArguments', args), ({ message, by }) => ({
        line: `say ${message}`,
        by,
      }));
    case 'reload_plugin':
      return mapped(messages.check('ReloadPluginArguments', args), ({ plugin, by }) => ({
        line: `${isCarbon ? 'c' : 'oxide'}.reload ${plugin}`,
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

/** Carbon and Oxide exclude each other, and only Carbon has this folder. */
export function hasCarbon(instance: Instance): boolean {
  return existsSync(join(instance.context.config.cwd, 'carbon'));
}

function mapped<From, To>(parsed: Parsed<From>, map: (value: From) => To): Parsed<To> {
  return parsed.isValid ? { isValid: true, value: map(parsed.value) } : parsed;
}
