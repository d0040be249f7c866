// Notices a server that owes a reply and is gone, without ending a statement that the server still works on.
import pg from 'pg';
import { within } from '../process/bounded-wait.ts';

/** How long another session may take to be opened and to say what the server does. */
const lookMs = 5_000;
/** How long a reply that is on its way may take to arrive. */
const arrivalMs = 1_000;

interface SilenceLimits {
  /** After this much silence the server is asked whether it works on the statement. */
  silenceCheckMs: number;
  /** After this much silence the connection counts as dead, whatever the server says; never when 0. */
  silenceMs: number;
}

interface WatchedConnection {
  receivedBytes: () => number;
  /** Whether the server works on what the connection has asked. It never rejects. */
  isServed: () => Promise<boolean>;
  /** Called once the connection counts as dead, with how long it has been silent. */
  onDead: (silentMs: number) => void;
}

export class SilenceWatch {
  readonly #limits: SilenceLimits;
  readonly #connection: WatchedConnection;
  #isOn = false;
  /** Counts the stops: what was begun before the last one changes nothing any more. */
  #stops = 0;
  #timer: NodeJS.Timeout | undefined;
  #seenBytes = 0;
  #silentSince = 0;

  constructor(limits: SilenceLimits, connection: WatchedConnection) {
    this.#limits = limits;
    this.#connection = connection;
  }

  /** To be called when a reply begins to be owed; does nothing while one is. */
  start(): void {
    if (this.#isOn || this.#limits.silenceMs === 0) return;
    this.#isOn = true;
    this.#begin();
  }

  /** To be called when no reply is owed any more. */
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

  /** Only where nothing has arrived until then, nor waits to be read by this process. */
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
 * Asks on a connection of its own whether the server works on the statement of that session. A server that refuses the
 * connection with words of its own is there, and may; one that can not be reached does not, for all that we know.
 */
export async function isServed(connectionString: string, pid: number): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  // What is lost fails the statement too.
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
  // Idle sessions have never heard of the statement, or have replied to it. Servers may hide the state.
  return rows[0] !== undefined && rows[0].state?.startsWith('idle') !== true;
}
