// Finishes a plugin-file command that an earlier agent left unfinished: restores, reloads, reports the result.
import { pause } from '../backoff.ts';
import { PluginGame, gameOf } from '../plugins/plugin-game.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { applicationFailure } from './file-application.ts';
import type { FileApplication, Rollback } from './file-application.ts';
import type { ApplicationRecord } from './application-record.ts';

/** How long to wait for the server before an interrupted command is left to the operator: 10 minutes. */
export const maxWaitMs = 10 * 60_000;
/** Polls only this process's own state, so the interval can be short. */
export const pollMs = 100;

const by = 'gantry';

export interface InterruptedApplicationOptions {
  instance: Instance;
  application: FileApplication;
  /** Aborted when the agent shuts down, which leaves the rest to the next agent. */
  signal: AbortSignal;
}

export class InterruptedApplication {
  readonly #options: InterruptedApplicationOptions;
  readonly #record: ApplicationRecord;
  readonly #rollback: Rollback | null;

  private constructor(
    options: InterruptedApplicationOptions,
    record: ApplicationRecord,
    rollback: Rollback | null,
  ) {
    this.#options = options;
    this.#record = record;
    this.#rollback = rollback;
  }

  /** Restores files immediately when the record says so. */
  static async of(
    record: ApplicationRecord,
    options: InterruptedApplicationOptions,
  ): Promise<InterruptedApplication> {
    const rollback = record.phase === 'loading' ? null : await options.application.rollBack(record);
    return new InterruptedApplication(options, record, rollback);
  }

  /**
   * Handles the plugins once the server can be reached. Resolves with undefined if the agent shuts down before that.
   */
  async finish(): Promise<Outcome | undefined> {
    const { signal } = this.#options;
    try {
      const game = await this.#reachableGame();
      if (signal.aborted) return undefined;
      const outcome = await this.#outcomeWith(game);
      return signal.aborted ? undefined : outcome;
    } catch (error) {
      return applicationFailure(error);
    }
  }

  async #outcomeWith(game: PluginGame | Outcome | null): Promise<Outcome> {
    const { application } = this.#options;
    if (game instanceof PluginGame)
      return this.#rollback === null
        ? application.load(game, this.#record, by)
        : this.#reloadFormer(game, this.#rollback);
    if (this.#rollback !== null) return this.#finishRolledBack(this.#rollback, '');
    return application.finish(this.#record, game ?? application.pendingLoad(this.#record));
  }

  async #reloadFormer(game: PluginGame, rollback: Rollback): Promise<Outcome> {
    const { application } = this.#options;
    if (this.#record.phase === 'taking_back') return application.loadFormer(game, this.#record, rollback, by);
    const { unloaded } = this.#record;
    const results = await application.reload(game, { ...this.#record, plugins: unloaded }, by);
    return this.#finishRolledBack(rollback, results.map(({ outcome }) => ` ${outcome.detail}`).join(''));
  }

  /** Records the result after the files were restored; `more` is appended to its detail. */
  async #finishRolledBack({ isComplete, text }: Rollback, more: string): Promise<Outcome> {
    const { outcome: failure } = this.#record;
    const outcome =
      failure?.isSuccess === false
        ? failed(failure.errorCode, `${failure.detail} Now ${text}.${more}`)
        : failed('interrupted', `The agent was interrupted; ${text}.${more}`);
    return isComplete ? this.#options.application.finish(this.#record, outcome) : outcome;
  }

  /** Returns null when the server is not running or has no RCON, or an outcome when its plugins cannot be managed. */
  async #reachableGame(): Promise<PluginGame | Outcome | null> {
    const { instance, signal } = this.#options;
    const deadlineMs = performance.now() + maxWaitMs;
    while (instance.pid !== null && instance.context.rcon !== null && !signal.aborted) {
      const game = gameOf(instance);
      if (game instanceof PluginGame || (instance.context.rcon.isConnected && game !== null)) return game;
      if (performance.now() > deadlineMs)
        return failed(
          'interrupted',
          'The agent was interrupted once the files were written, and the server has not replied since: whether the plugin can read them is unknown.',
        );
      await pause(pollMs, signal);
    }
    return null;
  }
}
