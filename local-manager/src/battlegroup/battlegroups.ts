// Reads the battlegroup's state, and has the vendor's program start, stop, update and back it up.
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { OperationRun, Operation } from '../operations/operation-run.ts';
import type { OperationKind, Operations } from '../operations/operations.ts';
import type { ProblemCode } from '../problems.ts';
import { isRefusal, refusal } from '../refusals.ts';
import { replyTo, confirmations, Dialogue, noEcho } from '../guest-shell/dialogue.ts';
import { viewBattlegroup, type Battlegroup } from './battlegroup-view.ts';
import { probeCluster, refuseUnknown, type ClusterView } from './cluster-probe.ts';

type Command =
  'start' | 'stop' | 'update' | 'backup' | 'apply-default-usersettings' | 'enable-experimental-swap';

const minutes = 60_000;
const timeouts: Record<Command, number> = {
  start: 10 * minutes,
  stop: 5 * minutes,
  update: 60 * minutes,
  backup: 30 * minutes,
  'apply-default-usersettings': 5 * minutes,
  'enable-experimental-swap': 5 * minutes,
};

/** Temporary refusals: a cluster under load, a broken connection. */
const passing: readonly ProblemCode[] = ['guest_failed', 'guest_unreachable', 'battlegroup_missing'];

const reachableWithinMs = 10 * minutes;
const stoppedWithinMs = 4 * minutes;

export class Battlegroups {
  readonly #guest: Guest;
  readonly #operations: Operations;
  readonly #pollMs: number;

  constructor(guest: Guest, operations: Operations, pollMs: number) {
    this.#pollMs = pollMs;
    this.#guest = guest;
    this.#operations = operations;
  }

  async get(): Promise<Battlegroup> {
    return this.only(await this.#guest.open());
  }

  probe(shell: GuestShell): Promise<ClusterView> {
    return probeCluster(shell, this.#guest.folder);
  }

  /** The only battlegroup; with several, the vendor's program asks which one is meant. */
  async only(shell: GuestShell): Promise<Battlegroup> {
    const cluster = await this.probe(shell);
    refuseUnknown(cluster);
    return onlyOf(cluster);
  }

  start(): Promise<Operation> {
    return this.#begin('startBattlegroup', async (run, shell) => {
      await this.startIn(run, shell);
      return { summary: 'The battlegroup is running.' };
    });
  }

  stop(): Promise<Operation> {
    return this.#begin('stopBattlegroup', async (run, shell) => {
      await this.stopIn(run, shell);
      return { summary: 'The battlegroup is stopped.' };
    });
  }

  restart(): Promise<Operation> {
    return this.#begin('restartBattlegroup', async (run, shell) => {
      await this.stopIn(run, shell);
      await this.startIn(run, shell);
      return { summary: 'The battlegroup is running again.' };
    });
  }

  update(): Promise<Operation> {
    return this.#begin('updateBattlegroup', async (run, shell) => {
      await run.step('Update', () => this.command(run, shell, 'update'));
      return {
        summary: 'The battlegroup is up to date. Check the game settings: an update may reset them.',
      };
    });
  }

  backUp(): Promise<Operation> {
    return this.#begin('backUpBattlegroup', async (run, shell) => {
      await run.step('Back up the database', () => this.command(run, shell, 'backup'));
      return { summary: 'The database is backed up within the virtual machine.' };
    });
  }

  async startIn(run: OperationRun, shell: GuestShell): Promise<void> {
    await run.step('Start the battlegroup', () => this.command(run, shell, 'start'));
    await this.#waitFor(
      run,
      shell,
      'Wait until it can be reached',
      reachableWithinMs,
      ({ isReachable }) => isReachable,
    );
  }

  async stopIn(run: OperationRun, shell: GuestShell): Promise<void> {
    await run.step('Stop the battlegroup', () => this.command(run, shell, 'stop'));
    await this.#waitFor(
      run,
      shell,
      'Wait until it is stopped',
      stoppedWithinMs,
      ({ phase }) => phase === 'Stopped',
    );
  }

  /** For operations that turn the virtual machine off. An unreachable guest cannot stop its battlegroup gracefully. */
  async stopIfReachable(run: OperationRun): Promise<boolean> {
    const name = 'Stop the battlegroup';
    try {
      const shell = await this.#guest.open();
      const { phase } = await this.only(shell);
      if (phase === 'Stopped') run.skip(name, 'it is stopped');
      else await this.stopIn(run, shell);
      return phase !== 'Stopped';
    } catch (error) {
      if (!isRefusal(error)) throw error;
      run.skip(name, error.message);
      return false;
    }
  }

  /** The vendor's program asks for confirmation. */
  enableSwap(run: OperationRun, shell: GuestShell): Promise<void> {
    return this.command(run, shell, 'enable-experimental-swap', new Dialogue(confirmations));
  }

  /** Runs the vendor's program; the dialogue replies to its prompts, if there is one. */
  async command(run: OperationRun, shell: GuestShell, command: Command, dialogue?: Dialogue): Promise<void> {
    const giveUp = new AbortController();
    const { exitCode, stdout } = await shell.run({
      script: `${dialogue === undefined ? 'exec < /dev/null' : noEcho}; exec "$1/bin/battlegroup" "$2" 2>&1`,
      values: [this.#guest.folder, command],
      timeoutMs: timeouts[command],
      onLine: run.print,
      ...(dialogue !== undefined && { wantsTerminal: true, signal: giveUp.signal }),
      ...(dialogue !== undefined && { onText: replyTo(dialogue, giveUp) }),
    });
    if (exitCode === 0 || (command === 'update' && exitCode === 1 && endsWithKnownSlip(stdout))) return;
    const message = stdout.trim().split('\n').slice(-3).join('\n');
    throw refusal(
      'guest_failed',
      `battlegroup ${command} ended with ${exitCode}${message === '' ? '.' : `: ${message}`}`,
    );
  }

  async #begin(
    kind: OperationKind,
    work: (run: OperationRun, shell: GuestShell) => Promise<{ summary: string }>,
  ): Promise<Operation> {
    this.#operations.refuseWhileRunning();
    const shell = await this.#guest.open();
    await this.only(shell);
    return this.#operations.start(kind, (run) => work(run, shell));
  }

  async #waitFor(
    run: OperationRun,
    shell: GuestShell,
    name: string,
    withinMs: number,
    isReached: (battlegroup: Battlegroup) => boolean,
  ): Promise<void> {
    await run.step(
      name,
      async ({ note, signal }) => {
        let phase = '';
        let trouble = '';
        const reached = await run.poll(
          async () => {
            const battlegroup = await this.only(shell).catch(notYet);
            if (typeof battlegroup === 'string') {
              note((trouble = battlegroup));
              return undefined;
            }
            trouble = '';
            if (battlegroup.phase !== phase) note((phase = battlegroup.phase));
            return isReached(battlegroup) ? battlegroup : undefined;
          },
          { everyMs: this.#pollMs, withinMs, signal },
        );
        if (reached === undefined)
          throw refusal(
            'guest_failed',
            trouble === ''
              ? `After ${withinMs / minutes} minutes the battlegroup is still ${phase}.`
              : `For ${withinMs / minutes} minutes the state of the battlegroup was unknown: ${trouble}`,
          );
      },
      { isCancellable: true },
    );
  }
}

/** Returns the reason of a temporary failure, which means nothing yet. Rethrows failures that waiting cannot fix. */
function notYet(error: unknown): string {
  if (isRefusal(error) && passing.includes(error.code)) return error.message;
  throw error;
}

export function onlyOf(cluster: ClusterView): Battlegroup {
  const [resource, ...others] = cluster.battlegroups;
  if (resource === undefined)
    throw refusal('battlegroup_missing', 'There is no battlegroup: run the setup, or repair it.');
  if (others.length > 0)
    throw refusal(
      'several_battlegroups',
      `There are ${others.length + 1} battlegroups; the manager manages one. Remove the others within the virtual machine.`,
    );
  return viewBattlegroup(resource, cluster);
}

/** Some packages end a successful update by creating a link that exists already, and then exit with 1. */
function endsWithKnownSlip(output: string): boolean {
  return /^ln: .*File exists$/.test(output.trimEnd().split('\n').at(-1) ?? '');
}
