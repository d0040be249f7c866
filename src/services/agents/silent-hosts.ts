// Takes hosts offline that fell silent while every replica listened; asks them where heartbeats may have been lost.
import { randomUUID } from 'node:crypto';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { takeHostsOffline } from './outages.ts';

/** What a replica knows of its own subscription to heartbeats. */
export interface ListeningState {
  /** Rejects when the bus is away, or does not reply in time where hosts are asked. */
  checkBus(timeoutMs: number): Promise<void>;
  /** Rises each time the connection is lost by which hosts are asked. */
  readonly busLossCount: number;
  /** Resolves once every heartbeat is taken that had reached the bus when it was called; rejects when that takes longer. */
  catchUp(timeoutMs: number): Promise<void>;
  /** Rises each time the connection is lost on which heartbeats arrive. */
  readonly heartbeatLossCount: number;
  /** Whether the agent of a host replies to a request. */
  isThere(hostId: string, timeoutMs: number): Promise<boolean>;
  /** Records that a host lives. */
  recordAlive(hostId: string): void;
  /** For how long the oldest heartbeat waits to be stored; 0 when none does. */
  oldestWaitMs(): number;
  /** Hosts whose heartbeats wait to be stored. */
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

/** How many heartbeats may be missing before a host counts as offline. */
const missedHeartbeats = 3;
/** Hosts that one transaction takes offline: heartbeats of these wait for it. */
export const maxHostsAtOnce = 200;
/** As SQL about `agent_host`. */
const isSilent = 'last_heartbeat_at < now() - make_interval(secs => ?) and id <> all(?::uuid[])';
/** Hosts that one sweep asks whether they are there. */
export const maxAskedAtOnce = 1_000;
/** How often in a row a host may leave a question unanswered before it counts as gone. */
const maxUnanswered = 2;
/** How long the bus may take to reply where hosts are asked. */
const busReplyMs = 5_000;
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
  /** This process's time before and after the database returned its own. */
  askedMs: number;
  answeredMs: number;
  databaseMs: number;
  busLossCount: number;
  heartbeatLossCount: number;
}

/** What a confirmation says of the time since the last one. */
interface ListeningGap {
  /** Nothing was heard for too long, so that silence begins again for every host. */
  isBroken: boolean;
  /** Heartbeats may have been lost, so that hosts that seem silent are asked. */
  isDoubtful: boolean;
}

interface Evaluation {
  may_judge: boolean;
  /** Within as long as a host may be silent, a replica may have lost heartbeats. */
  is_doubtful: boolean;
}

export class SilentHosts {
  readonly #platform: PlatformScope;
  readonly #listening: ListeningState;
  readonly #heartbeatIntervalMs: number;
  readonly #monotonicMs: () => number;
  readonly #id = randomUUID();
  #last: Confirmation | undefined;
  /** Consecutive unanswered requests of each host that the last sweep asked. */
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

  /** After how long without a heartbeat a host counts as offline. */
  get staleMs(): number {
    return this.#heartbeatIntervalMs * missedHeartbeats;
  }

  /** Takes what is silent offline, a bounded number of hosts in each transaction, and returns their ids. */
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

  /** Signs this replica off: other replicas need not wait for it. Call it once it receives no more messages. */
  async close(): Promise<void> {
    await this.#platform.transact('agents', (em) =>
      em.execute('delete from ingest_listener where id = ?', [this.#id]),
    );
  }

  /** Records that this replica listens, and returns whether nothing that reached the bus by now waits in it. */
  async #isListening(): Promise<boolean> {
    try {
      await this.#listening.checkBus(busReplyMs);
    } catch {
      this.#last = undefined; // the bus is away, as the bus itself logs
      return false;
    }
    const hasCaughtUp = await this.#listening.catchUp(this.#shortMs).then(
      () => true,
      () => false,
    );
    // A backlog is not silence. While it lasts, this replica's confirmation ages and no replica judges.
    if (this.#listening.oldestWaitMs() > this.#heartbeatIntervalMs / 2) {
      this.#last = undefined;
      return false;
    }
    const last = this.#last;
    this.#last = undefined; // unless this succeeds, what follows begins again
    const isBroken = last === undefined || this.#isBroken(last);
    const hasLost = last !== undefined && last.heartbeatLossCount !== this.#listening.heartbeatLossCount;
    const isDoubtful = !hasCaughtUp || hasLost;
    let now = await this.#confirm({ isBroken, isDoubtful });
    if (last !== undefined && !this.#agree(last, now))
      now = await this.#confirm({ isBroken: true, isDoubtful });
    this.#last = now;
    return true;
  }

  /** As long as the bus keeps heartbeats for a replica that pauses. */
  get #maxGapMs(): number {
    return Math.max(this.#heartbeatIntervalMs, minGapMs);
  }

  /** So long that a sweep that waits for it a few times is no pause. */
  get #shortMs(): number {
    return Math.min(busReplyMs, this.#maxGapMs / 4);
  }

  #isBroken({ answeredMs, busLossCount }: Confirmation): boolean {
    return busLossCount !== this.#listening.busLossCount || this.#monotonicMs() - answeredMs > this.#maxGapMs;
  }

  /** Whether as much time has passed for the database, by whose clock silence is judged. */
  #agree(last: Confirmation, now: Confirmation): boolean {
    const elapsedMs = now.databaseMs - last.databaseMs;
    return (
      elapsedMs > now.askedMs - last.answeredMs - clockToleranceMs &&
      elapsedMs < now.answeredMs - last.askedMs + clockToleranceMs
    );
  }

  async #confirm({ isBroken, isDoubtful }: ListeningGap): Promise<Confirmation> {
    const { busLossCount, heartbeatLossCount } = this.#listening;
    const askedMs = this.#monotonicMs();
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
    return { askedMs, answeredMs: this.#monotonicMs(), databaseMs, busLossCount, heartbeatLossCount };
  }

  /** Takes silent hosts offline while there is no doubt that they would have been heard. */
  async #sweepSome(em: EntityManager): Promise<string[]> {
    const { may_judge: canEvaluate, is_doubtful: isDoubtful } = await this.#evaluation(em);
    if (!canEvaluate || isDoubtful) return [];
    return takeHostsOffline(em, {
      condition: isSilent,
      values: this.#silentValues,
      maxHosts: maxHostsAtOnce,
    });
  }

  /**
   * A host whose heartbeats may have been lost is asked, over another connection: a sender that makes heartbeats be lost
   * neither hides the outages of others nor causes them.
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
    const { may_judge: canEvaluate, is_doubtful: isDoubtful } = await this.#evaluation(em);
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

  /** No host is evaluated unless every replica that may receive heartbeats has listened for as long as a host may be silent. */
  async #evaluation(em: EntityManager): Promise<Evaluation> {
    const [row] = await em.execute<Evaluation[]>(
      `select coalesce(bool_and(listening_since <= now() - make_interval(secs => ?)
         and confirmed_at >= now() - make_interval(secs => ?)), false) as may_judge,
         coalesce(bool_or(doubted_at > now() - make_interval(secs => ?)), false) as is_doubtful
       from ingest_listener where confirmed_at > now() - make_interval(secs => ?)`,
      [
        this.staleMs / 1_000,
        this.#maxGapMs / 1_000,
        this.staleMs / 1_000,
        Math.max(forgottenAfterSeconds, this.staleMs / 1_000),
      ],
    );
    return row ?? { may_judge: false, is_doubtful: false };
  }
}
