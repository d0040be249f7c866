// Operates the game server during its wipe: announces, saves, stops, starts and checks that the new save has begun.
import { pause } from '../backoff.ts';
import { typeLine } from '../commands/console-line.ts';
import { announcementLine } from '../games.ts';
import { RconError } from '../rcon/connection.ts';
import { readServerInfo } from '../rcon/figures.ts';
import type { Instance } from '../supervisor/instance.ts';
import { isNewSave, saveTimeIn } from './new-save.ts';
import { WipeError } from './wipe-error.ts';
import type { WipeRecord } from './wipe-record.ts';

const saveMs = 20_000;
const pollMs = 500;

export class Game {
  readonly #instance: Instance;
  readonly #closed: AbortSignal;

  constructor(instance: Instance, closed: AbortSignal) {
    this.#instance = instance;
    this.#closed = closed;
  }

  /** Sends nothing when the server is not running. */
  async announce(text: string): Promise<void> {
    const { log, config } = this.#instance.context;
    const { announce } = config.console;
    if (this.#instance.pid === null || announce === null) return;
    const outcome = await typeLine(this.#instance, { line: announcementLine(announce, text), by: 'wipe' });
    if (!outcome.isSuccess)
      log.warn({ instance: this.#instance.name, reason: outcome.detail }, 'not announced');
  }

  /** Returns the creation time that the server reports for its current save, or null when it does not reply. */
  async saveTime(): Promise<string | null> {
    const info = await this.#ask('serverinfo');
    return info === null ? null : saveTimeIn(info);
  }

  /** Saves before stopping, so that a server that must be killed loses nothing. */
  async stop(): Promise<void> {
    const { save } = this.#instance.context.config.console;
    if (this.#instance.pid !== null && save !== null) await this.#ask(save, saveMs);
    this.#closed.throwIfAborted();
    const stopped = await this.#instance.stop();
    this.#closed.throwIfAborted();
    if (!stopped.isSuccess) throw new WipeError('stop_failed', stopped.detail);
  }

  async start(): Promise<void> {
    const started = await this.#instance.start();
    this.#closed.throwIfAborted();
    if (!started.isSuccess) throw new WipeError('start_failed', started.detail);
  }

  /**
   * Resolves once the started server replies over RCON and, if the wipe deleted its save, runs on a new one. Throws
   * after the deadline.
   */
  async untilBegunAnew(record: WipeRecord, deadlineMs: number): Promise<void> {
    for (;;) {
      const waitsFor = await this.#lacking(record);
      if (waitsFor === null) return;
      if (performance.now() > deadlineMs) throw new WipeError('start_timeout', waitsFor);
      await pause(pollMs, this.#closed);
      this.#closed.throwIfAborted();
    }
  }

  /** Returns the condition that is not met yet, in words, or null when all are met. */
  async #lacking({ request, saveBefore, begunAtMs }: WipeRecord): Promise<string | null> {
    const { pid, state, context } = this.#instance;
    if (pid === null) throw new WipeError('start_failed', `The server ended again; it is ${state}.`);
    if (context.rcon === null) return state === 'running' ? null : 'The server did not become ready in time.';
    const info = await this.#ask('serverinfo');
    if (info === null || readServerInfo(info) === null) return 'The server did not answer over RCON in time.';
    const save = saveTimeIn(info);
    if (request.kind === 'blueprints' || save === null || isNewSave(save, saveBefore, begunAtMs ?? 0))
      return null;
    return `The server runs on a save of ${save}, which is not a new one.`;
  }

  async #ask(command: string, timeoutMs?: number): Promise<string | null> {
    const { rcon, log } = this.#instance.context;
    if (rcon === null) return null;
    try {
      return await rcon.request(command, timeoutMs);
    } catch (error) {
      if (!(error instanceof RconError)) throw error;
      log.debug({ instance: this.#instance.name, command, err: error }, 'the game server gave no answer');
      return null;
    }
  }
}
