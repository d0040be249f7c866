// What an area of commands is to the executor: which are its own, and how they are checked, queued and carried out.
import type { CommandEnvelope } from '../messages.ts';
import type { Instance } from '../supervisor/instance.ts';
import type { Outcome } from '../supervisor/outcome.ts';

export interface CommandArea {
  verbs: readonly CommandEnvelope['verb'][];
  /** Those of one line are carried out one after another; the instance's own name is the line of its process. */
  lineOf: (command: CommandEnvelope) => string;
  /** Why the arguments are not those of the verb; null when they are. Without it the command fails when its turn comes. */
  faultOfArguments?: (command: CommandEnvelope) => string | null;
  carryOut: (command: CommandEnvelope, instance: Instance) => Promise<Outcome>;
  /** Taken instead where the host need not have an instance of the command's name. */
  carryOutOnHost?: (command: CommandEnvelope) => Promise<Outcome>;
  /** How a command has ended that an agent before this one was at; undefined where nothing tells. */
  judge?: (command: CommandEnvelope) => Promise<Outcome | undefined>;
  /** The same where it is still to be seen to the end; what comes next on its line waits for that. */
  endingOf?: (command: CommandEnvelope) => Promise<Outcome | undefined>;
}

export function areaOf(areas: readonly CommandArea[], { verb }: CommandEnvelope): CommandArea | undefined {
  return areas.find(({ verbs }) => verbs.includes(verb));
}
