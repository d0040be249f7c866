// Remembers on disk which deliveries were begun and how each ended, whichever commands brought them.
import type { Logger } from 'pino';
import { untilDone } from '../backoff.ts';
import { AppendLog, NoRoomError } from '../files/append-log.ts';
import type { AppendLogOptions } from '../files/append-log.ts';
import type { Messages, Schemas } from '../messages.ts';
import type { Outcome } from '../supervisor/outcome.ts';

export interface DeliveryRecord {
  begunAtMs: number;
  /** When the game server had started that it was sent to. */
  serverStartedAtMs: number | null;
  outcome: Outcome | null;
}

/** Nobody asks for one again that ended before this, nor for one that was begun so long ago. */
const keptMs = { ended: 60 * 24 * 3600_000, begun: 400 * 24 * 3600_000 };

/** Bytes of the file that are kept for the ends of deliveries where the disk is full. */
const reserveBytes = 64 * 1024;
/** A delivery that was begun needs no more to be ended or withdrawn. */
const endBytes = 8 * 1024;

export class DeliveryRecords {
  readonly #file: AppendLog;
  readonly #messages: Messages;
  readonly #log: Logger;
  readonly #records = new Map<string, DeliveryRecord>();
  readonly #closed = new AbortController();
  /** Deliveries whose begin is on its way to the disk. */
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
   * Resolves once it is on disk: nothing is typed before. Throws a `NoRoomError`, and has written nothing, where the disk
   * has no room for the ends of this delivery and of those before it. Rejects with another error only once nothing of it
   * is on disk; the next agent would take the delivery for one that may have been typed.
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

  /** Of one that was begun nothing has left. Resolves once that is on disk. */
  async withdraw(id: string): Promise<void> {
    await this.#untilWritten(id, () => this.#file.append({ is: 'withdrawn', id }));
    this.#records.delete(id);
  }

  /** Resolves once the end is on disk, however long the disk fails: it is not reported before. */
  async end(id: string, outcome: Outcome): Promise<void> {
    await this.#untilWritten(id, () => this.#file.append({ is: 'ended', id, outcome: written(outcome) }));
    const record = this.#records.get(id);
    if (record !== undefined) record.outcome = outcome;
  }

  /** Ends the attempts to write what the disk does not take. */
  close(): Promise<void> {
    this.#closed.abort();
    return this.#file.close();
  }

  #untilWritten(id: string, write: () => Promise<void>): Promise<void> {
    return untilDone(write, this.#closed.signal, (error) =>
      this.#log.error({ delivery_id: id, err: error }, 'a delivery cannot be written down yet'),
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

  /** As the contract has results; one that is not understood leaves open how it ended. */
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
