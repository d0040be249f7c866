// Receives heartbeats and stores them in batches: those that arrive during a write form the next batch.
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Metrics } from '../process/metrics.ts';
import { ThrottledLogger } from '../process/throttled-logger.ts';
import { PlayedMaps } from './played-maps.ts';
import type { ReceivedHeartbeat } from './reports.ts';
import { recordAlive, storeHeartbeats } from './write-heartbeats.ts';
import { WaitingHeartbeats, type WaitingHeartbeat } from './waiting-heartbeats.ts';

/** Larger batches bring no further gain. */
const maxBatchSize = 500;
const retryMs = 500;

export class Heartbeats {
  readonly #pool: pg.Pool;
  readonly #metrics: Metrics;
  readonly #log: Logger;
  readonly #throttled = new ThrottledLogger();
  readonly #maps = new PlayedMaps();
  readonly #waiting = new WaitingHeartbeats();
  #writing: Promise<void> | undefined;
  #isClosed = false;
  #storing: readonly WaitingHeartbeat[] = [];
  readonly #unread = new Set<string>();

  constructor(pool: pg.Pool, metrics: Metrics, log: Logger) {
    this.#pool = pool;
    this.#metrics = metrics;
    this.#log = log;
  }

  take(received: ReceivedHeartbeat): void {
    this.#recordWaiting(this.#waiting.add({ ...received, receivedMs: performance.now() }));
    this.#startWriting();
  }

  /** Records a host as alive whose heartbeat was dropped unread. */
  takeUnread(hostId: string): void {
    this.#unread.add(hostId);
    this.#startWriting();
  }

  /** For how many milliseconds the oldest received heartbeat has waited to be stored; 0 if none waits. */
  oldestWaitMs(): number {
    const since = Math.min(this.#waiting.oldestMs, ...this.#storing.map(({ receivedMs }) => receivedMs));
    return Math.max(0, performance.now() - since);
  }

  /** Hosts with received heartbeats that are not stored yet. */
  waitingHosts(): string[] {
    return [
      ...new Set([...this.#waiting.hosts, ...this.#storing.map(({ hostId }) => hostId), ...this.#unread]),
    ];
  }

  /** Stores all received heartbeats, then returns. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
  }

  #startWriting(): void {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  async #write(): Promise<void> {
    while (this.#waiting.size + this.#unread.size > 0) {
      await this.#storeUnread();
      const batch = this.#waiting.takeSome(maxBatchSize);
      this.#storing = batch;
      this.#recordWaiting(0);
      await this.#store(batch);
      this.#storing = [];
    }
  }

  async #storeUnread(): Promise<void> {
    const hostIds = [...this.#unread].slice(0, maxBatchSize);
    if (hostIds.length === 0) return;
    try {
      await recordAlive(this.#pool, hostIds);
      for (const hostId of hostIds) this.#unread.delete(hostId);
    } catch (error) {
      this.#log.warn({ err: error, hosts: hostIds.length }, 'unread heartbeats wait for the database');
      if (this.#isClosed) this.#unread.clear();
      else await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }

  #recordWaiting(dropped: number): void {
    this.#metrics.heartbeatsWaiting.set(this.#waiting.size);
    if (dropped > 0) this.#metrics.busMessages.inc({ kind: 'heartbeat', outcome: 'dropped' }, dropped);
  }

  /**
   * A batch that the database refuses is split in halves and retried, so that a bad heartbeat does not affect the
   * others.
   */
  async #store(batch: WaitingHeartbeat[]): Promise<void> {
    try {
      const stored = await storeHeartbeats(this.#pool, batch, this.#maps);
      this.#metrics.busMessages.inc({ kind: 'heartbeat', outcome: 'taken' }, stored);
      if (stored < batch.length)
        this.#metrics.busMessages.inc({ kind: 'heartbeat', outcome: 'refused' }, batch.length - stored);
    } catch (error) {
      if (!isRefusal(error)) return this.#storeLater(batch, error);
      if (batch.length === 1) {
        const hostId = batch[0]?.hostId;
        this.#throttled.once(`heartbeat ${hostId}`, () =>
          this.#log.error({ err: error, host_id: hostId }, 'a heartbeat could not be stored'),
        );
        this.#metrics.busMessages.inc({ kind: 'heartbeat', outcome: 'failed' });
        return;
      }
      const half = batch.length >> 1;
      await this.#store(batch.slice(0, half));
      await this.#store(batch.slice(half));
    }
  }

  async #storeLater(batch: WaitingHeartbeat[], error: unknown): Promise<void> {
    this.#log.warn({ err: error, waiting: this.#waiting.size }, 'heartbeats wait for the database');
    if (this.#isClosed) return;
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    this.#recordWaiting(this.#waiting.putBack(batch));
  }
}

/** Whether the database refused the data itself, as opposed to being unavailable, restarting or losing a race. */
function isRefusal(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^(22|23|42)/.test(code);
}
