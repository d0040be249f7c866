// Finishes a plugin-file command that an earlier agent left unfinished: restores, reloads, reports the result.
import { pause } from '../backoff.ts';
import { PluginGame } from '../plugins/plugin-game.ts';
import { gameOf } from '../plugins/reachable-game.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { outcomeOf } from './applying.ts';
import type { Applying, Back } from './applying.ts';
import type { ApplyRecord } from './record.ts';

/** How long to wait for the server before an interrupted command is left to the operator: 10 minutes. */
export const patienceMs = 10 * 60_000;
/** Polls only this process's own state, so the interval can be short. */
export const lookMs = 100;

const by = 'gantry';

export interface InterruptionOptions {
  instance: Instance;
  applying: Applying;
  /** Aborted when the agent shuts down, which leaves the rest to the next agent. */
  signal: AbortSignal;
}

export class Interruption {
  readonly #options: InterruptionOptions;
  readonly #record: ApplyRecord;
  readonly #back: Back | null;

  private constructor(options: InterruptionOptions, record: ApplyRecord, back: Back | null) {
    this.#options = options;
    this.#record = record;
    this.#back = back;
  }

  /** Restores files immediately when the record says so. */
  static async of(record: ApplyRecord, options: InterruptionOptions): Promise<Interruption> {
    const back = record.phase === 'loading' ? null : await options.applying.takeBack(record);
    return new Interruption(options, record, back);
  }

  /**
   * Handles the plugins once the server can be reached. Resolves with undefined if the agent shuts down before that.
   */
  async end(): Promise<Outcome | undefined> {
    const { signal } = this.#options;
    try {
      const game = await this.#reachable();
      if (signal.aborted) return undefined;
      const outcome = await this.#ended(game);
      return signal.aborted ? undefined : outcome;
    } catch (error) {
      return outcomeOf(error);
    }
  }

  async #ended(game: PluginGame | Outcome | null): Promise<Outcome> {
    const { applying } = this.#options;
    if (game instanceof PluginGame)
      return this.#back === null
        ? applying.load(game, this.#record, by)
        : this.#loadedAgain(game, this.#back);
    if (this.#back !== null) return this.#over(this.#back, '');
    const unread = game ?? applying.unread(this.#record);
    return applying.over(this.#record, unread);
  }

  async #loadedAgain(game: PluginGame, back: Back): Promise<Outcome> {
    const { applying } = this.#options;
    if (this.#record.phase === 'taking_back') return applying.loadFormer(game, this.#record, back, by);
    const { unloaded } = this.#record;
    const readings = await applying.reload(game, { ...this.#record, plugins: unloaded }, by);
    return this.#over(back, readings.map(({ outcome }) => ` ${outcome.detail}`).join(''));
  }

  /** Records the result after the files were restored; `more` is appended to its detail. */
  async #over({ isWhole, words }: Back, more: string): Promise<Outcome> {
    const { outcome: failure } = this.#record;
    const outcome =
      failure?.isSuccess === false
        ? failed(failure.errorCode, `${failure.detail} Now ${words}.${more}`)
        : failed('interrupted', `The agent was interrupted; ${words}.${more}`);
    return isWhole ? this.#options.applying.over(this.#record, outcome) : outcome;
  }

  /** Returns null when the server is not running or has no RCON, or an outcome when its plugins cannot be managed. */
  async #reachable(): Promise<PluginGame | Outcome | null> {
    const { instance, signal } = this.#options;
    const deadlineMs = performance.now() + patienceMs;
    while (instance.pid !== null && instance.context.rcon !== null && !signal.aborted) {
      const game = gameOf(instance);
      if (game instanceof PluginGame || (instance.context.rcon.isConnected && game !== null)) return game;
      if (performance.now() > deadlineMs)
        return failed(
          'interrupted',
          'The agent was interrupted once the files were written, and the server has not answered since: nobody knows whether the plugin can read them.',
        );
      await pause(lookMs, signal);
    }
    return null;
  }
}
