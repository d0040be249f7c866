// The interface between a command area and the executor: verbs, argument check, queue and execution.
import type { CommandEnvelope } from '../messages.ts';
import type { Instance } from '../supervisor/instance.ts';
import type { Outcome } from '../supervisor/outcome.ts';

export interface CommandArea {
  verbs: readonly CommandEnvelope['verb'][];
  /** Commands with the same queue key run one after another. The instance's own name is the queue of its process. */
  lineOf: (command: CommandEnvelope) => string;
  /** Returns why the arguments do not fit the verb, or null. Without this check the command fails when it runs. */
  faultOfArguments?: (command: CommandEnvelope) => string | null;
  carryOut: (command: CommandEnvelope, instance: Instance) => Promise<Outcome>;
  /** Called instead when the host need not have an instance with the command's name. */
  carryOutOnHost?: (command: CommandEnvelope) => Promise<Outcome>;
  /** Returns the outcome of a command that an earlier agent was running; undefined when it is unknown. */
  judge?: (command: CommandEnvelope) => Promise<Outcome | undefined>;
  /** Like `judge`, for a command that still has to be completed. Later commands in its queue wait for it. */
  endingOf?: (command: CommandEnvelope) => Promise<Outcome | undefined>;
}

export function areaOf(areas: readonly CommandArea[], { verb }: CommandEnvelope): CommandArea | undefined {
  return areas.find(({ verbs }) => verbs.includes(verb));
}
