// One handler for each verb of the contract: queue, execution and the outcome after an interruption.
import type { commandArguments, CommandVerb } from '../../../generated/agent-bus.protocol.ts';
import type { CommandEnvelope, Schemas } from '../messages.ts';
import type { Instance } from '../supervisor/instance.ts';
import type { Outcome } from '../supervisor/outcome.ts';

type SchemaOf<Verb extends CommandVerb> = (typeof commandArguments)[Verb];

export type ArgumentsOf<Verb extends CommandVerb> =
  SchemaOf<Verb> extends keyof Schemas ? Schemas[SchemaOf<Verb>] : Record<string, unknown>;

/** Verbs that concern the host; the commands of others name an instance. */
type HostVerb = 'update_agent';

/** A command whose arguments fit its verb, which the schema of the envelope ensures. */
export type Command<Verb extends CommandVerb = CommandVerb> = Omit<
  CommandEnvelope,
  'verb' | 'args' | 'instance'
> & {
  verb: Verb;
  args: ArgumentsOf<Verb>;
  instance: Verb extends HostVerb ? undefined : string;
};

export interface CommandHandler<Verb extends CommandVerb = CommandVerb> {
  /** Commands with the same queue name run one after another. The instance's own name is the queue of its process. */
  queueOf: (command: Command<Verb>) => string;
  /** Makes the waits for readiness of earlier commands in its queue pointless. */
  supersedesWaits?: true;
  /** Returns what is wrong with arguments that fit the schema, or null. */
  argumentFault?: (args: ArgumentsOf<Verb>) => string | null;
  /** The signal fires when a later command makes the wait for readiness pointless. */
  run: (command: Command<Verb>, instance: Instance, superseded: AbortSignal) => Promise<Outcome>;
  /** Called instead when the host need not have an instance with the command's name. */
  runOnHost?: (command: Command<Verb>) => Promise<Outcome>;
  /** Returns the outcome of a command that an earlier agent was running; undefined when it is unknown. */
  outcomeAfterInterruption?: (command: Command<Verb>, startedAtMs: number) => Promise<Outcome | undefined>;
  /** Finishes a command that an earlier agent was running. Later commands in its queue wait for it. */
  finishInterrupted?: (command: Command<Verb>) => Promise<Outcome | undefined>;
}

/** A verb of the contract without a handler does not compile. */
export type CommandHandlers = { readonly [Verb in CommandVerb]: CommandHandler<Verb> };

/** The handlers of one area. */
export type HandlersOf<Verb extends CommandVerb> = Pick<CommandHandlers, Verb>;

/** Returns the handler of the command's verb. The schema of the envelope has checked that the arguments fit it. */
export function handlerOf(
  handlers: CommandHandlers,
  command: CommandEnvelope,
): { handler: CommandHandler; command: Command } {
  return { handler: handlers[command.verb] as CommandHandler, command: command as Command };
}
