// Persists which deliveries were begun and their results, whichever commands carried them.
import type { Logger } from 'pino';
import { untilDone } from '../backoff.ts';
import { AppendLog, NoRoomError } from '../state-files/append-log.ts';
import type { AppendLogOptions } from '../state-files/append-log.ts';
import type { Messages, Schemas } from '../messages.ts';
import type { Outcome } from '../supervisor/outcome.ts';

export interface DeliveryRecord {
  begunAtMs: number;
  /** Start time of the game server that the delivery was sent to. */
  serverStartedAtMs: number | null;
  outcome: Outcome | null;
}

/** Retention: 60 days after the result, or 400 days for a delivery without one. Older ones are not requested again. */
const keptMs = { ended: 60 * 24 * 3600_000, begun: 400 * 24 * 3600_000 };

/** Bytes of the file that are reserved for results while the disk is full. */
const reserveBytes = 64 * 1024;
/** Maximum size of the records that end or withdraw one delivery. */
const endBytes = 8 * 1024;

export class DeliveryRecords {
  readonly #file: AppendLog;
  readonly #messages: Messages;
  readonly #log: Logger;
  readonly #records = new Map<string, DeliveryRecord>();
  readonly #closed = new AbortController();
  /** Deliveries whose begin record is being written. */
  #beginningCount = 0;

  private constructor(path: string, messages: Messages, log: Logger, openFile: AppendLogOptions['openFile']) {
    this.#file = new AppendLog(path, { reserveBytes, ...(openFile && { openFile }) });
    this.#messages = messages;
    this.#log = log;
  }

  static async open(
    path: string,
    messages: Messages,
    log: Logger,
    openFile?: AppendLogOptions['openFile'],
  ): Promise<DeliveryRecords> {
    const records = new DeliveryRecords(path, messages, log, openFile);
    for (const line of await records.#file.read(log)) records.#replay(line);
    await records
      .#compact()
      .catch((error: unknown) => log.error({ file: path, err: error }, 'the deliveries cannot be compacted'));
    return records;
  }

  get(id: string): DeliveryRecord | undefined {
    return this.#records.get(id);
  }

  /**
   * Resolves once the record is on disk; nothing is sent before. Throws a `NoRoomError` without writing anything when
   * the disk lacks space for the results of this delivery and of the open ones. Rejects with another error only once
   * nothing of the record is on disk; otherwise the next agent would assume that the delivery may have been sent.
   */
  async begin(id: string, serverStartedAtMs: number | null): Promise<void> {
    const begunAtMs = Date.now();
    const openCount = [...this.#records.values()].filter(({ outcome }) => outcome === null).length;
    this.#beginningCount += 1;
    try {
      await this.#file.append(
        { is: 'begun', id, at: begunAtMs, server: serverStartedAtMs },
        { leavingBytes: (openCount + this.#beginningCount) * endBytes },
      );
    } catch (error) {
      if (!(error instanceof NoRoomError)) await this.#untilWritten(id, () => this.#file.erase());
      throw error;
    } finally {
      this.#beginningCount -= 1;
    }
    this.#records.set(id, { begunAtMs, serverStartedAtMs, outcome: null });
  }

  /** Records that nothing of a begun delivery was sent. Resolves once that is on disk. */
  async withdraw(id: string): Promise<void> {
    await this.#untilWritten(id, () => this.#file.append({ is: 'withdrawn', id }));
    this.#records.delete(id);
  }

  /** Resolves once the result is on disk, with retries while the disk fails. It is not reported before. */
  async end(id: string, outcome: Outcome): Promise<void> {
    await this.#untilWritten(id, () => this.#file.append({ is: 'ended', id, outcome: written(outcome) }));
    const record = this.#records.get(id);
    if (record !== undefined) record.outcome = outcome;
  }

  /** Stops the retries of failed writes. */
  close(): Promise<void> {
    this.#closed.abort();
    return this.#file.close();
  }

  #untilWritten(id: string, write: () => Promise<void>): Promise<void> {
    return untilDone(write, this.#closed.signal, (error) =>
      this.#log.error({ delivery_id: id, err: error }, 'a delivery cannot be recorded yet'),
    );
  }

  async #compact(): Promise<void> {
    const now = Date.now();
    for (const [id, { begunAtMs, outcome }] of this.#records)
      if (begunAtMs < now - (outcome === null ? keptMs.begun : keptMs.ended)) this.#records.delete(id);
    await this.#file.rewrite(() =>
      [...this.#records].flatMap(([id, { begunAtMs, serverStartedAtMs, outcome }]) => [
        { is: 'begun', id, at: begunAtMs, server: serverStartedAtMs },
        ...(outcome === null ? [] : [{ is: 'ended', id, outcome: written(outcome) }]),
      ]),
    );
  }

  #replay(line: unknown): void {
    const fields = new Map<string, unknown>(
      typeof line === 'object' && line !== null ? Object.entries(line) : [],
    );
    const id = fields.get('id');
    if (typeof id !== 'string') return;
    if (fields.get('is') === 'begun') {
      const [at, server] = [fields.get('at'), fields.get('server')];
      this.#records.set(id, {
        begunAtMs: typeof at === 'number' ? at : Date.now(),
        serverStartedAtMs: typeof server === 'number' ? server : null,
        outcome: null,
      });
    }
    if (fields.get('is') === 'withdrawn') this.#records.delete(id);
    const record = this.#records.get(id);
    if (fields.get('is') === 'ended' && record !== undefined)
      record.outcome = this.#outcomeIn(fields.get('outcome'));
  }

  /** Results are stored in the contract's form. An invalid one counts as unknown. */
  #outcomeIn(value: unknown): Outcome | null {
    const parsed = this.#messages.check('CommandResult', value);
    if (!parsed.isValid) return null;
    const { status, detail = '', error_code: errorCode = 'internal' } = parsed.value;
    return status === 'succeeded' ? { isSuccess: true, detail } : { isSuccess: false, errorCode, detail };
  }
}

function written(outcome: Outcome): Schemas['CommandResult'] {
  return {
    v: 1,
    command_id: '00000000-0000-7000-8000-000000000000',
    status: outcome.isSuccess ? 'succeeded' : 'failed',
    finished_at: new Date().toISOString(),
    detail: outcome.detail.slice(0, 1000),
    ...(outcome.isSuccess ? {} : { error_code: outcome.errorCode }),
  };
}
