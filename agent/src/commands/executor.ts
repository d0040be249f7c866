// Runs accepted commands one at a time per queue, and ensures that each one gets a result.
import type { Logger } from 'pino';
import { aborted, untilDone } from '../backoff.ts';
import type { PlatformClock } from '../clock.ts';
import { cutDetail } from '../messages.ts';
import type { CommandEnvelope, CommandResult } from '../messages.ts';
import type { Outbox } from '../outbox.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, messageOf } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { handlerOf } from './command-handler.ts';
import type { CommandHandlers } from './command-handler.ts';
import type { Journal, JournalEntry } from './journal.ts';

interface Pending {
  entry: JournalEntry;
  /** Aborted when a later stop, restart or wipe makes the wait for readiness pointless. */
  superseded: AbortController;
  /** The outcome of a command that an earlier agent was running; undefined when it is unknown. */
  interrupted?: Promise<Outcome | undefined>;
}

export interface ExecutorOptions {
  journal: Journal;
  outbox: Outbox;
  instance: (name: string) => Instance | undefined;
  handlers: CommandHandlers;
  /** Returns why a command cannot run now, or null. */
  objectionTo: (command: CommandEnvelope) => Outcome | null;
  clock: PlatformClock;
  log: Logger;
}

export class CommandExecutor {
  readonly #options: ExecutorOptions;
  readonly #pending = new Map<string, Pending[]>();
  readonly #underWay = new Map<Pending, Promise<Outcome>>();
  readonly #accepting = new Map<string, Promise<void>>();
  readonly #closed = new AbortController();

  constructor(options: ExecutorOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  isKnown(id: string): boolean {
    return this.#options.journal.get(id) !== undefined || this.#accepting.has(id.toLowerCase());
  }

  /** Resolves once the command is on disk. A repeated id waits for the same write and runs only once. */
  accept(command: CommandEnvelope): Promise<void> {
    const id = command.id.toLowerCase();
    if (this.#options.journal.get(id) !== undefined) return Promise.resolve();
    const accepting = this.#accepting.get(id);
    if (accepting !== undefined) return accepting;
    const work = this.#options.journal
      .accept(command)
      .then((entry) => this.#enqueue(entry))
      .finally(() => this.#accepting.delete(id));
    this.#accepting.set(id, work);
    return work;
  }

  /** Handles the commands that an earlier agent left unfinished. Call it after the instances have been recovered. */
  async recover(): Promise<void> {
    for (const entry of this.#options.journal.entries()) {
      if (entry.result !== null) {
        if (!entry.isDelivered) this.#options.outbox.addResult(entry.result);
      } else if (entry.startedAtMs !== null) {
        const { handler, command } = handlerOf(this.#options.handlers, entry.command);
        const finishing = handler.finishInterrupted?.(command);
        const outcome =
          finishing === undefined
            ? await handler.outcomeAfterInterruption?.(command, entry.startedAtMs)
            : undefined;
        this.#enqueue(entry, finishing ?? Promise.resolve(outcome));
      } else {
        this.#enqueue(entry);
      }
    }
  }

  /** Resolves once none of these verbs is running on the instance. Aborts their waits for readiness. */
  async untilEnded(instance: string, verbs: readonly CommandEnvelope['verb'][]): Promise<void> {
    const present = [...this.#underWay].filter(
      ([{ entry }]) => entry.command.instance === instance && verbs.includes(entry.command.verb),
    );
    for (const [{ superseded }] of present) superseded.abort();
    await Promise.all(present.map(([, work]) => work));
  }

  /** Whether another command is running on the instance. */
  isBusyWith(instance: string, exceptId: string): boolean {
    return [...this.#underWay.keys()].some(
      ({ entry: { command } }) => command.instance === instance && command.id !== exceptId,
    );
  }

  /** Running commands are left to the next agent. */
  close(): void {
    this.#closed.abort();
  }

  #enqueue(entry: JournalEntry, interrupted?: Pending['interrupted']): void {
    const { handler, command } = handlerOf(this.#options.handlers, entry.command);
    const name = handler.queueOf(command);
    const queue = this.#pending.get(name) ?? [];
    this.#pending.set(name, queue);
    if (handler.supersedesWaits === true) for (const earlier of queue) earlier.superseded.abort();
    queue.push({ entry, superseded: new AbortController(), ...(interrupted && { interrupted }) });
    if (queue.length === 1) void this.#runQueue(queue, name);
  }

  async #runQueue(queue: Pending[], name: string): Promise<void> {
    for (let next = queue[0]; next !== undefined && !this.isClosed; next = queue[0]) {
      const outcome = await (next.interrupted === undefined
        ? this.#attempt(next)
        : this.#outcomeAfterInterruption(next.entry, next.interrupted));
      if (this.isClosed || !(await this.#finish(next.entry, outcome))) return;
      queue.shift();
    }
    if (queue.length === 0) this.#pending.delete(name);
  }

  /** Skips a command that expired while it was queued, or whose start cannot be written to the journal. */
  async #attempt(pending: Pending): Promise<Outcome> {
    const { clock } = this.#options;
    // This host's clock may be wrong: only the platform's time decides whether a command from before has expired.
    if (!clock.isKnown) await Promise.race([clock.known, aborted(this.#closed.signal)]);
    if (this.isClosed) return failed('interrupted', 'The agent was shut down.');
    if (Date.parse(pending.entry.command.expires_at) <= clock.nowMs()) return expiredInQueue;
    try {
      await this.#options.journal.start(pending.entry);
    } catch (error) {
      this.#options.log.error(
        { command_id: pending.entry.command.id, err: error },
        'the journal cannot be written',
      );
      return failed('internal', 'The agent cannot write its journal; nothing was done.');
    }
    const work = this.#run(pending);
    this.#underWay.set(pending, work);
    return work.finally(() => this.#underWay.delete(pending));
  }

  async #run({ entry, superseded }: Pending): Promise<Outcome> {
    const { handler, command } = handlerOf(this.#options.handlers, entry.command);
    const instance = this.#instanceOf(command);
    if (instance === undefined && handler.runOnHost === undefined)
      return failed('internal', `The agent no longer has an instance "${command.instance}".`);
    this.#options.log.info(
      { command_id: command.id, verb: command.verb, instance: command.instance },
      'command started',
    );
    try {
      const objection = this.#options.objectionTo(entry.command);
      if (objection !== null) return objection;
      if (handler.runOnHost !== undefined) return await handler.runOnHost(command);
      if (instance === undefined) return failed('internal', 'The instance no longer exists.');
      return await handler.run(command, instance, superseded.signal);
    } catch (error) {
      this.#options.log.error({ command_id: command.id, err: error }, 'command failed unexpectedly');
      return failed('internal', messageOf(error));
    }
  }

  #instanceOf({ instance }: { instance?: string | undefined }): Instance | undefined {
    return instance === undefined ? undefined : this.#options.instance(instance);
  }

  /** Never runs the command again. */
  async #outcomeAfterInterruption(
    { command }: JournalEntry,
    interrupted: NonNullable<Pending['interrupted']>,
  ): Promise<Outcome> {
    const instance = this.#instanceOf(command);
    const seen = instance === undefined ? 'gone from the configuration' : instance.state;
    return (
      (await interrupted) ??
      failed(
        'interrupted',
        `The agent was interrupted while it carried this out; the instance is ${seen} now.`,
      )
    );
  }

  /**
   * Reports the result once it is on disk. Returns false when the agent shuts down first; the next one decides again.
   */
  async #finish(entry: JournalEntry, outcome: Outcome): Promise<boolean> {
    const result = this.#result(entry, outcome);
    const { output } = outcome;
    try {
      await untilDone(
        () => this.#options.journal.finish(entry, result),
        this.#closed.signal,
        (error) =>
          this.#options.log.error(
            { command_id: result.command_id, err: error },
            'the result of a command cannot be recorded yet',
          ),
      );
    } catch (error) {
      if (this.isClosed) return false;
      throw error;
    }
    // The journal is kept for days and reserves space for every result, so output is stored in the outbox only.
    this.#options.outbox.addResult({ ...result, ...(output && { output }) });
    this.#options.log.info(
      { command_id: result.command_id, status: result.status, detail: result.detail },
      'command finished',
    );
    return true;
  }

  /** Resolves once no rejected command is left on disk. */
  erase(): Promise<void> {
    return this.#options.journal.erase();
  }

  #result(entry: JournalEntry, outcome: Outcome): CommandResult {
    return {
      v: 1,
      command_id: entry.command.id,
      status: statusOf(outcome),
      finished_at: this.#options.clock.nowText(),
      detail: cutDetail(outcome.detail),
      ...(outcome.isSuccess ? loadedIn(outcome) : { error_code: outcome.errorCode }),
    };
  }
}

function statusOf(outcome: Outcome): CommandResult['status'] {
  if (!outcome.isSuccess) return 'failed';
  return outcome.isUnconfirmed === true ? 'sent' : 'succeeded';
}

const expiredInQueue = failed(
  'expired',
  'The command expired while it waited for others, or while the agent was away; it was not carried out.',
);

const loadedIn = ({ isLoaded }: { isLoaded?: boolean }) =>
  isLoaded === undefined ? {} : { is_loaded: isLoaded };
