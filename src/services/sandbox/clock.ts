// The clocks of sandboxes: moved forward from due moment to due moment, and followed once they are ahead.
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Contexts, Ctx } from '../../context.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { TenantScope } from '../../database/tenant-scope.ts';
import { DomainError, invalidField } from '../../errors.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import type { SimulatedAgents } from '../../sandbox/simulated-agents.ts';
import type { StoredHosts } from '../../sandbox/stored-hosts.ts';
import { renewingStatuses } from '../modules/ownership.ts';
import { ModuleRenewals } from '../modules/renewals.ts';
import { BanLifting, claimBans, isRested, liftableAt } from '../players/ban-lifting.ts';
import type { Schedules } from '../schedules/index.ts';
import { expireOrders, giveUpDeliveries, type ExpiryScope } from '../store/deliveries/expiry.ts';
import { sandboxOf, type SandboxRow } from './index.ts';
import { needPartitions } from './partitions.ts';

const dayMs = 24 * 60 * 60_000;
const maxAdvanceMs = 31 * dayMs;
const maxOffsetMs = 366 * dayMs;
const maxMoments = 500;
/** Moments of the same time that one step reports; all of them are handled. */
const maxMomentsAtOnce = 1_000;
/** The limit of the contract. */
const maxReported = 10_000;
/** Sandboxes that one run follows; the next run begins a second later, with others. */
const followedAtOnce = 50;
/** An advance that takes longer is continued by the caller's next request. */
const maxRunMs = 25_000;
/** How long commands may wait for the simulated agent, and due work for its handler. */
const settleMs = 5_000;
const settlePauseMs = 20;

export interface Moment {
  at: string;
  kind: Schemas['SandboxMomentKind'];
  id: string;
}

export interface Advance {
  clock: Pick<SandboxRow, 'now' | 'clock_offset_ms'>;
  isComplete: boolean;
  moments: Moment[];
}

export interface SandboxClockParts {
  platform: PlatformScope;
  tenant: TenantScope;
  contexts: Contexts;
  schedules: Pick<Schedules, 'runDue' | 'announceDue'>;
  agents: Pick<SimulatedAgents, 'act'>;
  hosts: Pick<StoredHosts, 'hostOf'>;
}

/** What is due at the earliest time between two times of a license. An order expires ten minutes after its time. */
const dueMoments = (licenseId: string, afterMs: number, untilMs: number) => sql<Moment>`
  with due as (
    select next_run_at as at, 'schedule_run' as kind, id from schedule where license_id = ${licenseId}
    union all
    select next_announcement_at, 'schedule_announcement', id from schedule where license_id = ${licenseId}
    union all
    select period_end, 'subscription_charge', id from subscription
    where license_id = ${licenseId} and module_id is not null and status = any(${renewingStatuses})
    union all
    select expires_at + interval '10 minutes 1 second', 'order_expiry', id from store_order
    where license_id = ${licenseId} and status = 'pending'
    union all
    select expires_at + interval '1 second', 'delivery_expiry', id from store_delivery
    where license_id = ${licenseId} and finished_at is null and status <> 'sent'
    union all
    select until, 'ban_end', id from player_action
    where license_id = ${licenseId} and kind = 'ban' and ended_at is null and until is not null
    union all
    select next_milestone_at, 'simulation_step', host_id from simulated_host where license_id = ${licenseId}
  ), next as (
    select min(at) as at from due where at > ${new Date(afterMs)} and at <= ${new Date(untilMs)}
  )
  select at, kind, id from due join next using (at) order by kind, id limit ${maxMomentsAtOnce}`;

/** What repeats and is due at a time: its next moment is not known before it was handled. */
const isOverdue = (licenseId: string, atMs: number) => sql<{ is_overdue: boolean }>`
  select exists (select from schedule where license_id = ${licenseId}
      and least(next_run_at, next_announcement_at) <= ${new Date(atMs)})
    or exists (select from subscription where license_id = ${licenseId} and module_id is not null
      and status = any(${renewingStatuses}) and period_end <= ${new Date(atMs)}) as is_overdue`;

/** Sandboxes that are ahead of real time and have something to handle by their own clocks. */
const sandboxesWithDueWork = sql<{ license_id: string }>`
  select sandbox.license_id from sandbox
  cross join lateral (select now() + clock_offset_ms * interval '1 millisecond' as at) as clock
  where clock_offset_ms > 0 and (
    exists (select from schedule where license_id = sandbox.license_id
      and least(next_run_at, next_announcement_at) <= clock.at)
    or exists (select from subscription where license_id = sandbox.license_id and module_id is not null
      and status = any(${renewingStatuses}) and period_end <= clock.at)
    or exists (select from store_order where license_id = sandbox.license_id and status = 'pending'
      and expires_at + interval '10 minutes' < clock.at)
    or exists (select from store_delivery where license_id = sandbox.license_id and finished_at is null
      and status <> 'sent' and expires_at < clock.at)
    or exists (select from player_action as ban ${sql.raw(liftableAt('clock.at'))}
      and ban.license_id = sandbox.license_id and ${sql.raw(isRested)}))
  order by random() limit ${followedAtOnce}`;

export class SandboxClocks {
  readonly #parts: SandboxClockParts;
  readonly #renewals: ModuleRenewals;

  constructor(parts: SandboxClockParts) {
    this.#parts = parts;
    this.#renewals = new ModuleRenewals(() => Promise.resolve([]), parts.tenant);
  }

  /** Moves the clock forward. Everything that is due on the way happens, in order and each at its own time. */
  async advance(ctx: Ctx, { seconds, to }: Schemas['SandboxClockAdvance']): Promise<Advance> {
    if (seconds !== undefined && to !== undefined)
      throw invalidField({ in: 'body', pointer: '/to', detail: 'cannot be combined with `seconds`' });
    const { licenseId } = ctx;
    const startedMs = Date.now();
    const start = await ctx.read((queries) => sandboxOf(queries, licenseId));
    const targetMs = to === undefined ? start.now.getTime() + (seconds ?? 0) * 1_000 : Date.parse(to);
    refuseTooFar(targetMs, start.now.getTime());
    await needPartitions((work) => this.#parts.platform.transact('sandboxes', work), targetMs);
    const moments: Moment[] = [];
    let atMs = start.now.getTime();
    let count = 0;
    for (;;) {
      await this.#settle(licenseId);
      await this.#awaitHandled(licenseId, atMs);
      const due = await this.#due(licenseId, atMs, targetMs);
      const [next] = due;
      if (next === undefined) break;
      if (
        moments.length + due.length > maxReported ||
        count >= maxMoments ||
        Date.now() - startedMs > maxRunMs
      ) {
        const clock = await ctx.read((queries) => sandboxOf(queries, licenseId));
        await this.#recordAdvance(licenseId);
        return { clock, isComplete: false, moments };
      }
      count += 1;
      moments.push(...due);
      // A millisecond later, since times of the database have fractions of milliseconds.
      atMs = Math.max(atMs, Date.parse(next.at) + 1);
      await this.#set(start, atMs);
      await this.#handleDue(licenseId);
    }
    await this.#set(start, targetMs);
    // Real time has passed meanwhile; a duration moves the offset by exactly that duration.
    if (seconds !== undefined) await this.#offsetBy(start, start.clock_offset_ms + seconds * 1_000);
    await this.#recordAdvance(licenseId);
    await this.#settle(licenseId);
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

  /** Never sets the clock back: another request may have advanced it further. */
  #set(start: SandboxRow, atMs: number): Promise<void> {
    return this.#move(start, 'ceil(?::float8 - extract(epoch from clock_timestamp()) * 1000)::bigint', atMs);
  }

  #offsetBy(start: SandboxRow, offsetMs: number): Promise<void> {
    return this.#move(start, '?::bigint', offsetMs);
  }

  /** Throws if the sandbox was reset or deleted since the start. */
  async #move({ license_id, reset_at }: SandboxRow, offset: string, value: number): Promise<void> {
    const { platform } = this.#parts;
    const moved = await platform.transact('sandboxes', (em) =>
      em.execute<object[]>(
        `update sandbox set clock_offset_ms = greatest(clock_offset_ms, ${offset})
         where license_id = ? and reset_at is not distinct from ?::timestamptz returning license_id`,
        [value, license_id, reset_at],
      ),
    );
    if (moved.length > 0) return;
    await platform.read('sandboxes', (queries) => sandboxOf(queries, license_id));
    throw new DomainError('simulation_refused', 'The sandbox was reset; its clock shows real time again.');
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
    await platform.transact('sandboxes', async (em) => {
      const scope = scopeOf(licenseId);
      await expireOrders(em, scope);
      await giveUpDeliveries(em, scope);
    });
    const bans = await platform.transact('sandboxes', (em) =>
      claimBans(em, { rows: `ban.license_id = ${literalOf(licenseId)}`, now: nowOf(licenseId) }),
    );
    await new BanLifting(() => Promise.resolve([]), tenant).lift(bans);
  }

  /**
   * Waits for another request or job that is handling what is due; passing it by would skip the moments that follow.
   * What cannot be handled does not stop the clock.
   */
  async #awaitHandled(licenseId: string, atMs: number): Promise<void> {
    const deadlineMs = Date.now() + settleMs;
    for (;;) {
      const { rows } = await this.#parts.platform.read('sandboxes', (queries) =>
        isOverdue(licenseId, atMs).execute(queries),
      );
      if (rows[0]?.is_overdue !== true || Date.now() > deadlineMs) return;
      await this.#handleDue(licenseId);
      await pause(settlePauseMs);
    }
  }

  /** Takes the due steps of the simulation; waits until its agent has taken its commands, and its reports are stored. */
  async #settle(licenseId: string): Promise<void> {
    const { agents, hosts, platform } = this.#parts;
    const hostId = await hosts.hostOf(licenseId);
    if (hostId === undefined) return;
    const deadlineMs = Date.now() + settleMs;
    for (;;) {
      const unsent = await agents.act(hostId, ({ isSilent, outbox, signs }) =>
        isSilent ? 0 : outbox.length + signs.length,
      );
      const waiting = await platform.read('sandboxes', (queries) =>
        queries
          .selectFrom('command')
          .select('id')
          .where('host_id', '=', hostId)
          .where('status', 'in', ['queued', 'sent'])
          .where('expires_at', '>', new Date().toISOString())
          .limit(1)
          .execute(),
      );
      if ((waiting.length === 0 && !unsent) || Date.now() > deadlineMs) return;
      await pause(settlePauseMs);
    }
  }
}

/** The id as an SQL literal. */
function literalOf(id: string): string {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error('the id is no UUID');
  return `'${id}'`;
}

const nowOf = (licenseId: string) => `(now() + (
  select clock_offset_ms * interval '1 millisecond' from sandbox where license_id = ${literalOf(licenseId)}))`;

const scopeOf = (licenseId: string): ExpiryScope => ({
  rows: `license_id = ${literalOf(licenseId)}`,
  now: nowOf(licenseId),
});

function refuseTooFar(targetMs: number, nowMs: number): void {
  if (targetMs - nowMs > maxAdvanceMs)
    throw new DomainError('limit_reached', 'One request advances the clock by at most 31 days.');
  if (targetMs - Date.now() > maxOffsetMs)
    throw new DomainError('limit_reached', 'The clock can be at most 366 days ahead of real time.');
}
