// The clocks of sandboxes: moved forward from due moment to due moment, and followed once they are ahead.
import { setTimeout as pause } from 'node:timers/promises';
import type { Contexts, Ctx } from '../../context.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { TenantScope } from '../../database/tenant-scope.ts';
import { DomainError, invalidField } from '../../errors.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import type { SimulatedAgents } from '../../sandbox/simulated-agents.ts';
import type { StoredHosts } from '../../sandbox/stored-hosts.ts';
import { renewingStatuses } from '../modules/ownership.ts';
import { ModuleRenewals } from '../modules/renewals.ts';
import { BanLifting, claimBans } from '../players/ban-lifting.ts';
import type { Schedules } from '../schedules/index.ts';
import { wakeDeliveries } from '../store/deliveries/dispatch.ts';
import { expireOrders, giveUpDeliveries } from '../store/deliveries/expiry.ts';
import { sandboxesWithDueWork } from './due-sandboxes.ts';
import { sandboxOf, type SandboxRow } from './index.ts';
import { dueMoments, type Moment } from './moments.ts';
import { needPartitions } from './partitions.ts';
import { unfinishedWork, type UnfinishedWork } from './unfinished-work.ts';

const dayMs = 24 * 60 * 60_000;
export const maxAdvanceMs = 31 * dayMs;
export const maxOffsetMs = 366 * dayMs;
const maxMoments = 500;
/** The limit of the contract. */
const maxReported = 10_000;
/** An advance that takes longer is continued by the caller's next request. */
const maxRunMs = 25_000;
/** Between two looks at work that others have to do. */
const finishPauseMs = 20;

export interface Advance {
  clock: Pick<SandboxRow, 'now' | 'clock_offset_ms'>;
  isComplete: boolean;
  moments: Moment[];
}

/** An advance on its way. */
interface Walk {
  start: SandboxRow;
  /** The time to arrive at; undefined if the request moves the clock by a duration. */
  toMs: number | undefined;
  /** The offset to arrive at; it counts for a duration only. */
  endOffsetMs: number;
  /** The offset of the clock as this request last saw it. */
  offsetMs: number;
}

interface AgentState {
  isSilent: boolean;
  unsentCount: number;
  /** SteamIDs of the players on each server. */
  online: Readonly<Record<string, readonly string[]>>;
}

export interface SandboxClockParts {
  platform: PlatformScope;
  tenant: TenantScope;
  contexts: Contexts;
  schedules: Pick<Schedules, 'runDue' | 'announceDue'>;
  agents: Pick<SimulatedAgents, 'act'>;
  hosts: Pick<StoredHosts, 'hostOf'>;
}

/** Where the clock has to arrive. Real time passes meanwhile; a duration moves the offset by exactly that duration. */
const targetOf = ({ toMs, endOffsetMs }: Walk) => toMs ?? Date.now() + endOffsetMs;

export class SandboxClocks {
  readonly #parts: SandboxClockParts;
  readonly #renewals: ModuleRenewals;
  readonly #bans: BanLifting;

  constructor(parts: SandboxClockParts) {
    this.#parts = parts;
    this.#renewals = new ModuleRenewals(parts.tenant);
    this.#bans = new BanLifting(parts.tenant);
  }

  /**
   * Moves the clock forward. Everything that is due on the way happens, in order and each at its own time. The advance
   * is incomplete when something takes too long; the clock never passes what is not done.
   */
  async advance(ctx: Ctx, { seconds, to }: Schemas['SandboxClockAdvance']): Promise<Advance> {
    if (seconds !== undefined && to !== undefined)
      throw invalidField({ in: 'body', pointer: '/to', detail: 'cannot be combined with `seconds`' });
    const { licenseId } = ctx;
    const deadlineMs = Date.now() + maxRunMs;
    const start = await ctx.read((queries) => sandboxOf(queries, licenseId));
    const toMs = to === undefined ? undefined : Date.parse(to);
    const movedMs = toMs === undefined ? (seconds ?? 0) * 1_000 : toMs - start.now.getTime();
    if (movedMs > maxAdvanceMs)
      throw new DomainError('limit_reached', 'One request advances the clock by at most 31 days.');
    const offsetMs = start.clock_offset_ms;
    const walk: Walk = { start, toMs, endOffsetMs: offsetMs + movedMs, offsetMs };
    await this.#prepare(walk);
    const moments: Moment[] = [];
    let atMs = start.now.getTime();
    let count = 0;
    const incomplete = async (): Promise<Advance> => {
      await this.#recordAdvance(licenseId);
      const clock = await ctx.read((queries) => sandboxOf(queries, licenseId));
      return { clock, isComplete: false, moments };
    };
    for (;;) {
      if (!(await this.#finishPresent(licenseId, atMs, deadlineMs))) return incomplete();
      const due = await this.#due(licenseId, atMs, targetOf(walk));
      const [next] = due;
      if (next === undefined && (await this.#arrive(walk))) break;
      const isTooMuch = moments.length + due.length > maxReported || count >= maxMoments;
      if (isTooMuch || Date.now() > deadlineMs) return incomplete();
      // A millisecond later, since times of the database have fractions of milliseconds.
      const nextMs = next === undefined ? undefined : Math.max(atMs, Date.parse(next.at) + 1);
      if (nextMs === undefined || !(await this.#set(walk, nextMs))) {
        // Another request moved the clock, and reports what it passed.
        atMs = Math.max(atMs, Date.now() + walk.offsetMs);
        continue;
      }
      atMs = nextMs;
      count += 1;
      moments.push(...due);
      await this.#handleDue(licenseId);
    }
    await this.#recordAdvance(licenseId);
    await this.#finishPresent(licenseId, targetOf(walk), deadlineMs);
    const clock = await ctx.read((queries) => sandboxOf(queries, licenseId));
    return { clock, isComplete: true, moments };
  }

  /** Handles what is due by clocks that are ahead of real time; the usual jobs look at real time. */
  async follow(): Promise<void> {
    const { rows } = await this.#parts.platform.read('sandboxes', (queries) =>
      sandboxesWithDueWork.execute(queries),
    );
    const failures: unknown[] = [];
    for (const { license_id } of rows)
      await this.#handleDue(license_id).catch((error: unknown) => failures.push(error));
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} sandboxes could not follow their clocks`);
  }

  async #due(licenseId: string, afterMs: number, untilMs: number): Promise<Moment[]> {
    const { rows } = await this.#parts.platform.read('sandboxes', (queries) =>
      dueMoments(licenseId, afterMs, untilMs).execute(queries),
    );
    return rows;
  }

  /** Makes sure that the clock may pass the time that the walk leads to. */
  async #prepare(walk: Walk): Promise<void> {
    const targetMs = targetOf(walk);
    if (targetMs - Date.now() > maxOffsetMs)
      throw new DomainError('limit_reached', 'The clock can be at most 366 days ahead of real time.');
    await needPartitions((work) => this.#parts.platform.transact('sandboxes', work), targetMs);
  }

  #arrive(walk: Walk): Promise<boolean> {
    return walk.toMs === undefined
      ? this.#move(walk, '?::bigint', walk.endOffsetMs)
      : this.#set(walk, walk.toMs);
  }

  #set(walk: Walk, atMs: number): Promise<boolean> {
    return this.#move(walk, 'ceil(?::float8 - extract(epoch from clock_timestamp()) * 1000)::bigint', atMs);
  }

  /**
   * Never sets the clock back: another request may have advanced it further. Durations of concurrent requests add up:
   * if another request has moved the clock, this one does not, ends later by as much, and the result is false. Throws if
   * the sandbox was reset or deleted since the start.
   */
  async #move(walk: Walk, offset: string, value: number): Promise<boolean> {
    const { platform } = this.#parts;
    const { license_id, reset_at } = walk.start;
    const [moved] = await platform.transact('sandboxes', (em) =>
      em.execute<{ offset_ms: string }[]>(
        `update sandbox set clock_offset_ms = greatest(clock_offset_ms, ${offset})
         where license_id = ? and reset_at is not distinct from ?::timestamptz
           and (?::boolean or clock_offset_ms = ?::bigint) returning clock_offset_ms as offset_ms`,
        [value, license_id, reset_at, walk.toMs !== undefined, walk.offsetMs],
      ),
    );
    if (moved !== undefined) {
      walk.offsetMs = Number(moved.offset_ms);
      return true;
    }
    const current = await platform.read('sandboxes', (queries) => sandboxOf(queries, license_id));
    if (current.reset_at !== reset_at)
      throw new DomainError('simulation_refused', 'The sandbox was reset; its clock shows real time again.');
    const passedMs = current.clock_offset_ms - walk.offsetMs;
    walk.offsetMs += passedMs;
    walk.endOffsetMs += passedMs;
    await this.#prepare(walk);
    return false;
  }

  /** Writes one audit entry for the whole advance. */
  async #recordAdvance(licenseId: string): Promise<void> {
    await this.#parts.platform.transact('sandboxes', (em) =>
      em.execute('update sandbox set advanced_at = now() where license_id = ?', [licenseId]),
    );
  }

  /** Runs the handlers of everything that is due by the license's clock; a handler without due rows does nothing. */
  async #handleDue(licenseId: string): Promise<void> {
    const { contexts, platform, schedules, tenant } = this.#parts;
    const due = await contexts.forJob('run-schedules', licenseId, (ctx) =>
      ctx.transact((em) =>
        em.execute<{ id: string; runs: boolean }[]>(
          `select id, next_run_at <= license_now() as runs from schedule
           where least(next_run_at, next_announcement_at) <= license_now()`,
        ),
      ),
    );
    const ids = due.map(({ id }) => id);
    if (ids.length > 0) {
      await contexts.forJob('announce-schedules', licenseId, (ctx) => schedules.announceDue(ctx, ids));
      await contexts.forJob('run-schedules', licenseId, (ctx) => schedules.runDue(ctx, ids));
    }
    const charged = await tenant.transact(licenseId, (em) =>
      em.execute<{ id: string }[]>(
        `select id from subscription where module_id is not null and status = any(?::text[])
           and period_end <= license_now()`,
        [`{${renewingStatuses.join(',')}}`],
      ),
    );
    await this.#renewals.renew(
      licenseId,
      charged.map(({ id }) => id),
    );
    await tenant.transact(licenseId, async (em) => {
      await expireOrders(em, 'license_now()');
      await giveUpDeliveries(em, 'license_now()');
    });
    const bans = await platform.transact('sandboxes', (em) => claimBans(em, licenseId));
    await this.#bans.lift(bans);
  }

  /**
   * Handles what is due, and waits for all that others have to do before the clock may move: jobs that create commands,
   * the agent that takes them, and its reports. A silent agent takes nothing. Returns false if that takes too long.
   */
  async #finishPresent(licenseId: string, atMs: number, deadlineMs: number): Promise<boolean> {
    const { hosts, platform } = this.#parts;
    const hostId = await hosts.hostOf(licenseId);
    if (hostId === undefined) return true;
    const look = () =>
      platform.read('sandboxes', (queries) => unfinishedWork(queries, { licenseId, hostId, atMs }));
    for (;;) {
      const before = await look();
      if (before.is_overdue) await this.#handleDue(licenseId);
      const agent = await this.#act(hostId);
      for (const { instance_id, name } of before.awaited)
        await this.#wakeDeliveries(licenseId, instance_id, agent.online[name] ?? []);
      const after = await look();
      const isUnfinished = (work: UnfinishedWork) =>
        work.is_overdue || work.has_jobs || (work.has_commands && !agent.isSilent);
      if (!isUnfinished(before) && !isUnfinished(after) && agent.unsentCount === 0) return true;
      if (Date.now() > deadlineMs) return false;
      await pause(finishPauseMs);
    }
  }

  /** Takes the due steps of the simulation and sends its reports; returns how many were left to send, and who is online. */
  async #act(hostId: string): Promise<AgentState> {
    const state = await this.#parts.agents.act(hostId, ({ isSilent, outbox, signs, servers }) => ({
      isSilent,
      unsentCount: isSilent ? 0 : outbox.length + signs.length,
      online: Object.fromEntries(
        Object.entries(servers).map(([name, { players }]) => [
          name,
          isSilent ? [] : players.map(({ steamId }) => steamId),
        ]),
      ),
    }));
    return state ?? { isSilent: true, unsentCount: 0, online: {} };
  }

  /** The usual job asks for online players every 15 seconds of real time, which can be weeks of the clock. */
  async #wakeDeliveries(licenseId: string, instanceId: string, steamIds: readonly string[]): Promise<void> {
    if (steamIds.length === 0) return;
    await this.#parts.tenant.transact(licenseId, (em) => wakeDeliveries(em, instanceId, steamIds));
  }
}
