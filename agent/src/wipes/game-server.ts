// Operates the game server during its wipe: announces, saves, stops, starts and checks that it runs on a new save.
import { pause } from '../backoff.ts';
import { typeLine } from '../commands/console-line.ts';
import { announcementLine } from '../games.ts';
import { RconError } from '../rcon/connection.ts';
import { readServerInfo } from '../rcon/server-replies.ts';
import type { Instance } from '../supervisor/instance.ts';
import { WipeError } from './wipe-record.ts';
import type { WipeRecord } from './wipe-record.ts';
import { fieldsOf, parsed } from '../rcon/frames.ts';

const saveMs = 20_000;
const pollMs = 500;

export class GameServer {
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
  async untilNewSave(record: WipeRecord, deadlineMs: number): Promise<void> {
    for (;;) {
      const unmet = await this.#unmetCondition(record);
      if (unmet === null) return;
      if (performance.now() > deadlineMs) throw new WipeError('start_timeout', unmet);
      await pause(pollMs, this.#closed);
      this.#closed.throwIfAborted();
    }
  }

  /** Returns the condition that is not met yet, in words, or null when all are met. */
  async #unmetCondition({ request, saveBefore, begunAtMs }: WipeRecord): Promise<string | null> {
    const { pid, state, context } = this.#instance;
    if (pid === null) throw new WipeError('start_failed', `The server stopped again; it is ${state}.`);
    if (context.rcon === null) return state === 'running' ? null : 'The server did not become ready in time.';
    const info = await this.#ask('serverinfo');
    if (info === null || readServerInfo(info) === null) return 'The server did not reply over RCON in time.';
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
      log.debug({ instance: this.#instance.name, command, err: error }, 'the game server did not reply');
      return null;
    }
  }
}

const minuteMs = 60_000;
/** The reported time has no time zone. No zone is more than 14 hours from UTC. */
const zoneSlackMs = 14 * 60 * minuteMs;

/** Returns `SaveCreatedTime` from the reply to `serverinfo`, as the server writes it, or null when it is missing. */
export function saveTimeIn(serverInfo: string): string | null {
  const text = fieldsOf(parsed(serverInfo)).get('SaveCreatedTime');
  return typeof text === 'string' && text.length <= 100 ? text : null;
}

/**
 * The server formats the time in its own culture. A text that cannot be parsed counts as new when it differs from the
 * previous text.
 */
export function isNewSave(text: string, before: string | null, wipedAtMs: number): boolean {
  if (text === before) return false;
  const readings = readingsOf(text);
  return readings.length === 0 || readings.some((ms) => ms >= wipedAtMs - minuteMs);
}

/** Returns the latest timestamps that the text may stand for. */
function readingsOf(text: string): number[] {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return [Date.parse(text)].filter(Number.isFinite);
  const match = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})[ T,]+(\d{1,2}):(\d\d)(?::(\d\d))?\s*([AP]M)?/i.exec(
    text,
  );
  if (match === null) return [];
  const [, one = '', two = '', three = '', hour = '', minute = '', second = '0', half = ''] = match;
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  const dates =
    one.length === 4
      ? [[one, two, three]]
      : [
          [three, one, two],
          [three, two, one],
        ];
  return dates.flatMap(([year, month, day]) => {
    const isDate = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
    const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), hours, Number(minute), Number(second));
    return isDate ? [ms + zoneSlackMs] : [];
  });
}
