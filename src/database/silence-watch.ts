// Detects a server that disappeared while a reply is pending, without ending a statement that still runs.
import pg from 'pg';
import { within } from '../process/bounded-wait.ts';

/** Maximum time for another session to connect and report the server's state. */
const lookMs = 5_000;
/** Maximum time for a reply in transit to arrive. */
const arrivalMs = 1_000;

interface SilenceLimits {
  /** After this much silence the server is asked whether it works on the statement. */
  silenceCheckMs: number;
  /** After this much silence the connection counts as dead regardless of the server's state; never if 0. */
  silenceMs: number;
}

interface WatchedConnection {
  receivedBytes: () => number;
  /** Whether the server works on the connection's statement. It never rejects. */
  isServed: () => Promise<boolean>;
  /** Called when the connection counts as dead, with the milliseconds of silence. */
  onDead: (silentMs: number) => void;
}

export class SilenceWatch {
  readonly #limits: SilenceLimits;
  readonly #connection: WatchedConnection;
  #isOn = false;
  /** Counts calls of `stop`, so that a check started before the last one has no effect. */
  #stops = 0;
  #timer: NodeJS.Timeout | undefined;
  #seenBytes = 0;
  #silentSince = 0;

  constructor(limits: SilenceLimits, connection: WatchedConnection) {
    this.#limits = limits;
    this.#connection = connection;
  }

  /** Call it when a reply becomes pending; has no effect while one is pending. */
  start(): void {
    if (this.#isOn || this.#limits.silenceMs === 0) return;
    this.#isOn = true;
    this.#begin();
  }

  /** Call it when no reply is pending any more. */
  stop(): void {
    this.#isOn = false;
    this.#stops += 1;
    clearTimeout(this.#timer);
  }

  get #silentMs(): number {
    return performance.now() - this.#silentSince;
  }

  #begin(): void {
    const { silenceCheckMs, silenceMs } = this.#limits;
    this.#seenBytes = this.#connection.receivedBytes();
    this.#silentSince = performance.now();
    if (silenceCheckMs < silenceMs) this.#after(silenceCheckMs, () => void this.#look());
    else this.#after(silenceMs, () => this.#end());
  }

  async #look(): Promise<void> {
    const stops = this.#stops;
    const isServed = await this.#connection.isServed();
    if (stops !== this.#stops) return;
    const leftMs = Math.max(this.#limits.silenceMs - this.#silentMs, 0);
    const { silenceCheckMs } = this.#limits;
    if (!isServed) this.#after(Math.min(arrivalMs, leftMs), () => this.#end());
    else if (silenceCheckMs < leftMs) this.#after(silenceCheckMs, () => void this.#look());
    else this.#after(leftMs, () => this.#end());
  }

  #end(): void {
    this.#connection.onDead(this.#silentMs);
  }

  /** Continues only if nothing has arrived by then and no data waits to be read by this process. */
  #after(ms: number, goOn: () => void): void {
    const stops = this.#stops;
    this.#timer = setTimeout(() => {
      setImmediate(() => {
        if (stops !== this.#stops) return;
        if (this.#connection.receivedBytes() > this.#seenBytes) this.#begin();
        else goOn();
      });
    }, ms).unref();
  }
}

/**
 * Asks on a separate connection whether the server works on that session's statement. A server that refuses the
 * connection with an error message is alive, so it counts as working; an unreachable one does not.
 */
export async function isServed(connectionString: string, pid: number): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  // A loss of this connection fails its statement as well.
  client.on('error', () => undefined);
  try {
    return await within(lookMs, findWork(client, pid));
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    client.connection.stream.destroy();
  }
}

async function findWork(client: pg.Client, pid: number): Promise<boolean> {
  await client.connect();
  const { rows } = await client.query<{ state: string | null }>(
    'select state from pg_stat_activity where pid = $1',
    [pid],
  );
  // An idle session never received the statement, or has already replied. Servers may hide the state.
  return rows[0] !== undefined && rows[0].state?.startsWith('idle') !== true;
}
