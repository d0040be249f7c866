// Takes hosts offline whose heartbeats stay away. Silence counts only while every replica of ingest listened.
import { randomUUID } from 'node:crypto';
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import { takeHostsOffline } from './outages.ts';

/** What a replica knows of its own hearing. */
export interface ListeningState {
  /** Resolves once everything is taken that had reached the bus when it was called; rejects when the bus is away. */
  catchUp(): Promise<void>;
  /** Rises each time the connection to the bus is lost. */
  readonly lossCount: number;
  /** For how long the oldest heartbeat waits to be stored; 0 when none does. */
  oldestWaitMs(): number;
  /** Hosts whose heartbeats wait to be stored. */
  waitingHosts(): string[];
}

export interface SilentHostsOptions {
  platform: PlatformScope;
  hearing: ListeningState;
  /** How often agents report. */
  heartbeatIntervalMs: number;
  /** A clock that nobody sets. */
  monotonicMs?: () => number;
}

/** How many heartbeats may be missing before a host counts as offline. */
const missedHeartbeats = 3;
/** Hosts that one transaction takes offline: heartbeats of these wait for it. */
export const maxHostsAtOnce = 200;
/** Within a pause that is no longer, heartbeats wait at the bus and are not lost. */
const minGapMs = 2_000;
/** By so much the database's clock and this process's may differ in what passed between two looks. */
const clockToleranceMs = 1_000;
/**
 * A replica that did not sign off and is not heard of may still be given heartbeats until the bus gives it up: after
 * three unanswered pings of 20 s.
 */
const forgottenAfterSeconds = 90;

interface Confirmation {
  /** Around the time at which the database told its own. */
  askedMs: number;
  answeredMs: number;
  databaseMs: number;
  lossCount: number;
}

export class SilentHosts {
  readonly #platform: PlatformScope;
  readonly #hearing: ListeningState;
  readonly #heartbeatIntervalMs: number;
  readonly #monotonicMs: () => number;
  readonly #id = randomUUID();
  #last: Confirmation | undefined;

  constructor({
    platform,
    hearing,
    heartbeatIntervalMs,
    monotonicMs = () => performance.now(),
  }: SilentHostsOptions) {
    this.#platform = platform;
    this.#hearing = hearing;
    this.#heartbeatIntervalMs = heartbeatIntervalMs;
    this.#monotonicMs = monotonicMs;
  }

  /** After how long without a heartbeat a host counts as offline. */
  get staleMs(): number {
    return this.#heartbeatIntervalMs * missedHeartbeats;
  }

  /** Takes what is silent offline, a bounded number of hosts in each transaction, and returns their ids. */
  async sweep(): Promise<string[]> {
    const silent: string[] = [];
    while (await this.#isListening()) {
      const batch = await this.#platform.transact('agents', (em) => this.#sweepSome(em));
      if (batch.length === 0) break;
      silent.push(...batch);
    }
    return silent;
  }

  /** Signs this replica off: nobody need wait for it. Call it once it takes nothing any more. */
  async close(): Promise<void> {
    await this.#platform.transact('agents', (em) =>
      em.execute('delete from ingest_listener where id = ?', [this.#id]),
    );
  }

  /** Records that this replica listens, and returns whether nothing that reached the bus by now waits in it. */
  async #isListening(): Promise<boolean> {
    try {
      await this.#hearing.catchUp();
    } catch {
      this.#last = undefined; // the bus is away, as the bus itself logs
      return false;
    }
    // A backlog is not silence. While it lasts, this replica's confirmation ages and no replica judges.
    if (this.#hearing.oldestWaitMs() > this.#heartbeatIntervalMs / 2) {
      this.#last = undefined;
      return false;
    }
    const last = this.#last;
    this.#last = undefined; // unless this succeeds, what follows begins again
    let now = await this.#confirm(last === undefined || this.#isBroken(last));
    if (last !== undefined && !this.#agree(last, now)) now = await this.#confirm(true);
    this.#last = now;
    return true;
  }

  #isBroken({ answeredMs, lossCount }: Confirmation): boolean {
    return (
      lossCount !== this.#hearing.lossCount ||
      this.#monotonicMs() - answeredMs > Math.max(this.#heartbeatIntervalMs, minGapMs)
    );
  }

  /** Whether as much time has passed for the database, by whose clock silence is judged. */
  #agree(last: Confirmation, now: Confirmation): boolean {
    const elapsedMs = now.databaseMs - last.databaseMs;
    return (
      elapsedMs > now.askedMs - last.answeredMs - clockToleranceMs &&
      elapsedMs < now.answeredMs - last.askedMs + clockToleranceMs
    );
  }

  async #confirm(isBroken: boolean): Promise<Confirmation> {
    const { lossCount } = this.#hearing;
    const askedMs = this.#monotonicMs();
    const [row] = await this.#platform.transact('agents', (em) =>
      em.execute<{ database_ms: number }[]>(
        `with forgotten as (
           delete from ingest_listener where confirmed_at < now() - interval '1 day'
         )
         insert into ingest_listener (id, listening_since, confirmed_at) values (?, now(), now())
         on conflict (id) do update set confirmed_at = excluded.confirmed_at,
           listening_since = case when ? then now() else ingest_listener.listening_since end
         returning (extract(epoch from clock_timestamp()) * 1000)::float8 as database_ms`,
        [this.#id, isBroken],
      ),
    );
    return { askedMs, answeredMs: this.#monotonicMs(), databaseMs: row?.database_ms ?? NaN, lossCount };
  }

  /** None unless every replica that may be given heartbeats has listened for as long as a host may be silent. */
  async #sweepSome(em: EntityManager): Promise<string[]> {
    const [row] = await em.execute<{ may_judge: boolean }[]>(
      `select coalesce(bool_and(listening_since <= now() - make_interval(secs => ?)
         and confirmed_at >= now() - make_interval(secs => ?)), false) as may_judge
       from ingest_listener where confirmed_at > now() - make_interval(secs => ?)`,
      [
        this.staleMs / 1_000,
        Math.max(this.#heartbeatIntervalMs, minGapMs) / 1_000,
        Math.max(forgottenAfterSeconds, this.staleMs / 1_000),
      ],
    );
    if (row?.may_judge !== true) return [];
    return takeHostsOffline(em, {
      condition: 'last_heartbeat_at < now() - make_interval(secs => ?) and id <> all(?::uuid[])',
      values: [this.staleMs / 1_000, `{${this.#hearing.waitingHosts().join(',')}}`],
      maxHosts: maxHostsAtOnce,
    });
  }
}
