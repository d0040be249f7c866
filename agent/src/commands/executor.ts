// Runs accepted commands one at a time per queue, and ensures that each one gets a result.
import type { Logger } from 'pino';
import { aborted, untilDone } from '../backoff.ts';
import type { PlatformClock } from '../clock.ts';
import { cutDetail } from '../messages.ts';
import type { CommandEnvelope, CommandResult, Messages } from '../messages.ts';
import type { Outbox } from '../outbox.ts';
import { carryOutForPlayer, isPlayerVerb } from '../players/player-commands.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, messageOf, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { areaOf } from './area.ts';
import type { CommandArea } from './area.ts';
import { carryOutTyped, isTypedVerb, wantsOutput } from './console-line.ts';
import type { Journal, JournalEntry } from './journal.ts';

interface Pending {
  entry: JournalEntry;
  /** Aborted when a later stop, restart or wipe makes the wait for readiness pointless. */
  superseded: AbortController;
  /** The outcome of a command that an earlier agent was running. */
  ending?: Promise<Outcome | undefined>;
}

export interface ExecutorOptions {
  journal: Journal;
  messages: Messages;
  outbox: Outbox;
  instance: (name: string) => Instance | undefined;
  /** The areas that handle all commands other than power, console and player commands. */
  areas: readonly CommandArea[];
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
        const ending = areaOf(this.#options.areas, entry.command)?.endingOf?.(entry.command);
        this.#enqueue(entry, ending ?? Promise.resolve(await this.#judge(entry, entry.startedAtMs)));
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

  #enqueue(entry: JournalEntry, ending?: Pending['ending']): void {
    const { verb } = entry.command;
    const line = this.#lineOf(entry.command);
    const queue = this.#pending.get(line) ?? [];
    this.#pending.set(line, queue);
    if (verb === 'stop' || verb === 'restart' || verb === 'wipe')
      for (const earlier of queue) earlier.superseded.abort();
    queue.push({ entry, superseded: new AbortController(), ...(ending && { ending }) });
    if (queue.length === 1) void this.#work(queue, line);
  }

  async #work(queue: Pending[], line: string): Promise<void> {
    for (let next = queue[0]; next !== undefined && !this.isClosed; next = queue[0]) {
      const outcome = await (next.ending === undefined
        ? this.#attempt(next)
        : this.#ended(next, next.ending));
      if (this.isClosed || !(await this.#finish(next.entry, outcome))) return;
      queue.shift();
    }
    if (queue.length === 0) this.#pending.delete(line);
  }

  /** Skips a command that expired while it was queued, or whose start cannot be written to the journal. */
  async #attempt(pending: Pending): Promise<Outcome> {
    const { clock } = this.#options;
    // This host's clock may be wrong: only the platform's time decides whether a command from before has expired.
    if (!clock.isKnown) await Promise.race([clock.known, aborted(this.#closed.signal)]);
    if (this.isClosed) return failed('interrupted', 'The agent ended.');
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
    const work = this.#carryOut(pending);
    this.#underWay.set(pending, work);
    return work.finally(() => this.#underWay.delete(pending));
  }

  async #ended({ entry }: Pending, ending: NonNullable<Pending['ending']>): Promise<Outcome> {
    return (
      (await ending) ?? judge(entry, entry.startedAtMs ?? 0, this.#options.instance(entry.command.instance))
    );
  }

  async #carryOut({ entry, superseded }: Pending): Promise<Outcome> {
    const { command } = entry;
    const instance = this.#options.instance(command.instance);
    const area = areaOf(this.#options.areas, command);
    if (instance === undefined && area?.carryOutOnHost === undefined)
      return failed('internal', `The agent has no instance "${command.instance}" any more.`);
    this.#options.log.info(
      { command_id: command.id, verb: command.verb, instance: command.instance },
      'command started',
    );
    try {
      const objection = this.#options.objectionTo(command);
      if (objection !== null) return objection;
      if (area?.carryOutOnHost !== undefined) return await area.carryOutOnHost(command);
      if (instance === undefined) return failed('internal', 'The instance is gone.');
      if (area !== undefined) return await area.carryOut(command, instance);
      const { verb, args } = command;
      if (verb === 'start') return await instance.start(superseded.signal);
      if (verb === 'stop') return await instance.stop();
      if (verb === 'restart') return await instance.restart(superseded.signal);
      if (isPlayerVerb(verb)) return await this.#carryOutForPlayer({ ...command, verb }, instance);
      if (isTypedVerb(verb)) {
        return await carryOutTyped({ verb, args }, instance, this.#options.messages, superseded.signal);
      }
      return failed('not_supported', `This agent does not know how to ${verb}.`);
    } catch (error) {
      this.#options.log.error({ command_id: command.id, err: error }, 'command failed unexpectedly');
      return failed('internal', messageOf(error));
    }
  }

  async #carryOutForPlayer(
    command: Parameters<typeof carryOutForPlayer>[1],
    { context: { rcon } }: Instance,
  ): Promise<Outcome> {
    if (rcon === null)
      return failed('not_supported', 'The agent’s configuration names no RCON for this instance.');
    return carryOutForPlayer(this.#options.messages, command, rcon);
  }

  /**
   * Returns the queue of a command. Long file operations have their own queue, so that they do not delay a stop. Lines
   * with requested output run immediately, like those of a live console, even while the instance starts.
   */
  #lineOf(command: CommandEnvelope): string {
    if (wantsOutput(command)) return `${command.instance} console`;
    return areaOf(this.#options.areas, command)?.lineOf(command) ?? command.instance;
  }

  /** Returns the outcome of a command that an earlier agent was running. */
  async #judge(entry: JournalEntry, startedAtMs: number): Promise<Outcome> {
    const { command } = entry;
    const found = await areaOf(this.#options.areas, command)?.judge?.(command);
    return found ?? judge(entry, startedAtMs, this.#options.instance(command.instance));
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
            'the end of a command cannot be written down yet',
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

/** Decides from the current state of the instance. Never runs the command again. */
function judge({ command }: JournalEntry, startedAtMs: number, instance: Instance | undefined): Outcome {
  const isRunning = instance?.pid !== undefined && instance.pid !== null;
  if (command.verb === 'start' && isRunning) return succeeded(`The process runs with pid ${instance.pid}.`);
  if (command.verb === 'stop' && instance !== undefined && !isRunning)
    return succeeded('The process has ended.');
  const isNewProcess =
    isRunning && instance.state !== 'stopping' && (instance.startedAtMs ?? 0) >= startedAtMs;
  if (command.verb === 'restart' && isNewProcess)
    return succeeded(`The process runs anew with pid ${instance.pid}.`);
  const seen = instance === undefined ? 'gone from the configuration' : instance.state;
  return failed(
    'interrupted',
    `The agent was interrupted while it carried this out; the instance is ${seen} now.`,
  );
}
