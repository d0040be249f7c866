// Takes silent hosts offline if every replica was listening; first probes hosts whose heartbeats may have been lost.
import { randomUUID } from 'node:crypto';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { takeHostsOffline } from './outages.ts';

/** The state of this replica's subscription to heartbeats. */
export interface ListeningState {
  /** Rejects if the connection for requests to hosts is down or does not respond in time. */
  checkBus(timeoutMs: number): Promise<void>;
  /** How often the connection for requests to hosts has been lost. */
  readonly busLossCount: number;
  /** Resolves once every heartbeat that is at the bus now has been received; rejects after the timeout. */
  catchUp(timeoutMs: number): Promise<void>;
  /** How often the connection for heartbeats has been lost. */
  readonly heartbeatLossCount: number;
  /** Whether the agent of a host replies to a request. */
  isThere(hostId: string, timeoutMs: number): Promise<boolean>;
  /** Records that the host has just replied. */
  recordAlive(hostId: string): void;
  /** How long the oldest received heartbeat has waited to be stored; 0 if none waits. */
  oldestWaitMs(): number;
  /** Hosts with received heartbeats that are not stored yet. */
  waitingHosts(): string[];
}

export interface SilentHostsOptions {
  platform: PlatformScope;
  listening: ListeningState;
  /** How often agents report. */
  heartbeatIntervalMs: number;
  /** A monotonic clock. */
  monotonicMs?: () => number;
}

/** A host counts as offline after this many missed heartbeats. */
const missedHeartbeats = 3;
/** Maximum hosts that one transaction takes offline: their heartbeats wait for it. */
export const maxHostsAtOnce = 200;
/** SQL condition on `agent_host`. */
const isSilent = 'last_heartbeat_at < now() - make_interval(secs => ?) and id <> all(?::uuid[])';
/** Maximum hosts that one sweep probes. */
export const maxAskedAtOnce = 1_000;
/** A host counts as gone after this many consecutive unanswered probes. */
const maxUnanswered = 2;
/** Time limit of a reply on the connection for requests to hosts. */
const busReplyMs = 5_000;
/** If this process pauses for no longer than this, the bus keeps its heartbeats and none are lost. */
const minGapMs = 2_000;
/** Tolerance when comparing the time that passed by the database's clock and by this process's clock. */
const clockToleranceMs = 1_000;
/**
 * A replica that died without signing off may be sent heartbeats until the bus drops its connection, after three
 * unanswered pings of 20 s.
 */
const forgottenAfterSeconds = 90;

interface Confirmation {
  /** This process's clock before and after the query of the database's clock. */
  requestedMs: number;
  repliedMs: number;
  databaseMs: number;
  busLossCount: number;
  heartbeatLossCount: number;
}

/** Whether this replica may have missed heartbeats since its last confirmation. */
interface ListeningGap {
  /** This replica was not listening for too long, so every host's silence is counted from now. */
  isBroken: boolean;
  /** Some heartbeats may have been lost, so silent hosts are probed before they are taken offline. */
  isDoubtful: boolean;
}

interface Evaluation {
  can_evaluate: boolean;
  /** A replica may have lost heartbeats within the period after which a host counts as offline. */
  is_doubtful: boolean;
}

export class SilentHosts {
  readonly #platform: PlatformScope;
  readonly #listening: ListeningState;
  readonly #heartbeatIntervalMs: number;
  readonly #monotonicMs: () => number;
  readonly #id = randomUUID();
  #last: Confirmation | undefined;
  /** Consecutive unanswered probes, by host that the last sweep probed. */
  #unanswered: ReadonlyMap<string, number> = new Map();

  constructor({
    platform,
    listening,
    heartbeatIntervalMs,
    monotonicMs = () => performance.now(),
  }: SilentHostsOptions) {
    this.#platform = platform;
    this.#listening = listening;
    this.#heartbeatIntervalMs = heartbeatIntervalMs;
    this.#monotonicMs = monotonicMs;
  }

  /** A host counts as offline after this time without a heartbeat. */
  get staleMs(): number {
    return this.#heartbeatIntervalMs * missedHeartbeats;
  }

  /** Takes silent hosts offline, a bounded number in each transaction, and returns their ids. */
  async sweep(): Promise<string[]> {
    const silent: string[] = [];
    while (await this.#isListening()) {
      const batch = await this.#platform.transact('agents', (em) => this.#sweepSome(em));
      silent.push(...batch);
      if (batch.length > 0) continue;
      silent.push(...(await this.#sweepDoubtful()));
      break;
    }
    return silent;
  }

  /** Signs this replica off, so that other replicas do not wait for it. Call it once no more messages arrive. */
  async close(): Promise<void> {
    await this.#platform.transact('agents', (em) =>
      em.execute('delete from ingest_listener where id = ?', [this.#id]),
    );
  }

  /** Confirms that this replica is listening. Returns false if the bus is unavailable or heartbeats are backlogged. */
  async #isListening(): Promise<boolean> {
    try {
      await this.#listening.checkBus(busReplyMs);
    } catch {
      this.#last = undefined; // the connection logs its loss itself
      return false;
    }
    const hasCaughtUp = await this.#listening.catchUp(this.#shortMs).then(
      () => true,
      () => false,
    );
    // A backlog is not silence. While it lasts, this replica does not confirm, so no replica takes hosts offline.
    if (this.#listening.oldestWaitMs() > this.#heartbeatIntervalMs / 2) {
      this.#last = undefined;
      return false;
    }
    const last = this.#last;
    this.#last = undefined; // if the confirmation fails, the next one starts a new listening period
    const isBroken = last === undefined || this.#isBroken(last);
    const hasLost = last !== undefined && last.heartbeatLossCount !== this.#listening.heartbeatLossCount;
    const isDoubtful = !hasCaughtUp || hasLost;
    let now = await this.#confirm({ isBroken, isDoubtful });
    if (last !== undefined && !this.#agree(last, now))
      now = await this.#confirm({ isBroken: true, isDoubtful });
    this.#last = now;
    return true;
  }

  /** Longest pause of this process without lost heartbeats. */
  get #maxGapMs(): number {
    return Math.max(this.#heartbeatIntervalMs, minGapMs);
  }

  /** Short enough that a sweep can wait this long several times without counting as a pause. */
  get #shortMs(): number {
    return Math.min(busReplyMs, this.#maxGapMs / 4);
  }

  #isBroken({ repliedMs, busLossCount }: Confirmation): boolean {
    return busLossCount !== this.#listening.busLossCount || this.#monotonicMs() - repliedMs > this.#maxGapMs;
  }

  /** Whether both clocks agree on the elapsed time; silence is measured by the database's clock. */
  #agree(last: Confirmation, now: Confirmation): boolean {
    const elapsedMs = now.databaseMs - last.databaseMs;
    return (
      elapsedMs > now.requestedMs - last.repliedMs - clockToleranceMs &&
      elapsedMs < now.repliedMs - last.requestedMs + clockToleranceMs
    );
  }

  async #confirm({ isBroken, isDoubtful }: ListeningGap): Promise<Confirmation> {
    const { busLossCount, heartbeatLossCount } = this.#listening;
    const requestedMs = this.#monotonicMs();
    const [row] = await this.#platform.transact('agents', (em) =>
      em.execute<{ database_ms: number }[]>(
        `with forgotten as (
           delete from ingest_listener where confirmed_at < now() - interval '1 day'
         )
         insert into ingest_listener (id, listening_since, confirmed_at, doubted_at)
         values (?, now(), now(), case when ? then now() end)
         on conflict (id) do update set confirmed_at = excluded.confirmed_at,
           listening_since = case when ? then now() else ingest_listener.listening_since end,
           doubted_at = coalesce(excluded.doubted_at, ingest_listener.doubted_at)
         returning (extract(epoch from clock_timestamp()) * 1000)::float8 as database_ms`,
        [this.#id, isDoubtful, isBroken],
      ),
    );
    const databaseMs = row?.database_ms ?? NaN;
    return { requestedMs, repliedMs: this.#monotonicMs(), databaseMs, busLossCount, heartbeatLossCount };
  }

  /** Takes silent hosts offline if no heartbeat can have been lost. */
  async #sweepSome(em: EntityManager): Promise<string[]> {
    const { can_evaluate: canEvaluate, is_doubtful: isDoubtful } = await this.#evaluation(em);
    if (!canEvaluate || isDoubtful) return [];
    return takeHostsOffline(em, {
      condition: isSilent,
      values: this.#silentValues,
      maxHosts: maxHostsAtOnce,
    });
  }

  /**
   * Probes silent hosts over another connection if heartbeats may have been lost. So a sender that floods the bus can
   * neither hide other hosts' outages nor cause them.
   */
  async #sweepDoubtful(): Promise<string[]> {
    const doubtful = await this.#platform.transact('agents', (em) => this.#doubtfulHosts(em));
    const replies = await Promise.all(
      doubtful.map(async (id) => ({ id, isThere: await this.#listening.isThere(id, this.#shortMs) })),
    );
    const unanswered = new Map<string, number>();
    for (const { id, isThere } of replies) {
      if (isThere) this.#listening.recordAlive(id);
      else unanswered.set(id, (this.#unanswered.get(id) ?? 0) + 1);
    }
    this.#unanswered = unanswered;
    const gone = [...unanswered].filter(([, count]) => count >= maxUnanswered).map(([id]) => id);
    const silent: string[] = [];
    for (let start = 0; start < gone.length; start += maxHostsAtOnce) {
      const some = gone.slice(start, start + maxHostsAtOnce);
      silent.push(...(await this.#platform.transact('agents', (em) => this.#takeGoneOffline(em, some))));
    }
    return silent;
  }

  async #doubtfulHosts(em: EntityManager): Promise<string[]> {
    const { can_evaluate: canEvaluate, is_doubtful: isDoubtful } = await this.#evaluation(em);
    if (!canEvaluate || !isDoubtful) return [];
    const hosts = await em.execute<{ id: string }[]>(
      `select id from agent_host where status = 'online' and ${isSilent} order by last_heartbeat_at limit ?`,
      [...this.#silentValues, maxAskedAtOnce],
    );
    return hosts.map(({ id }) => id);
  }

  #takeGoneOffline(em: EntityManager, hostIds: readonly string[]): Promise<string[]> {
    return takeHostsOffline(em, {
      condition: `${isSilent} and id = any(?::uuid[])`,
      values: [...this.#silentValues, `{${hostIds.join(',')}}`],
      maxHosts: maxHostsAtOnce,
    });
  }

  get #silentValues(): [number, string] {
    return [this.staleMs / 1_000, `{${this.#listening.waitingHosts().join(',')}}`];
  }

  /** Hosts are evaluated only if every replica that may receive heartbeats has listened for the whole period. */
  async #evaluation(em: EntityManager): Promise<Evaluation> {
    const [row] = await em.execute<Evaluation[]>(
      `select coalesce(bool_and(listening_since <= now() - make_interval(secs => ?)
         and confirmed_at >= now() - make_interval(secs => ?)), false) as can_evaluate,
         coalesce(bool_or(doubted_at > now() - make_interval(secs => ?)), false) as is_doubtful
       from ingest_listener where confirmed_at > now() - make_interval(secs => ?)`,
      [
        this.staleMs / 1_000,
        this.#maxGapMs / 1_000,
        this.staleMs / 1_000,
        Math.max(forgottenAfterSeconds, this.staleMs / 1_000),
      ],
    );
    return row ?? { can_evaluate: false, is_doubtful: false };
  }
}
