// The schedules of a license: their settings, previews, runs and history.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import { refusing } from '../../database/faults.ts';
import { licenseNow } from '../../database/license-clock.ts';
import type { Queries } from '../../database/reader.ts';
import { GameInstance, Schedule, ScheduleRun } from '../../entities/index.ts';
import { notFound } from '../../errors.ts';
import { stepUpRequired, type StepUps } from '../auth/step-ups.ts';
import { canSeeDetail, type Commands } from '../commands/index.ts';
import { refuseBeyond, type Limit } from '../../preconditions/limits.ts';
import { byId, pageOf, type Page } from '../../lists/page.ts';
import { refuseStale } from '../../preconditions/version.ts';
import type { Wipes } from '../wipes/index.ts';
import {
  checkAction,
  keepsFewerBackups,
  refuseIncapable,
  refuseUnknownMap,
  refuseUnlessAllowed,
  refuseWithoutRoom,
  workOf,
} from './actions.ts';
import { announceDue } from './announcements.ts';
import { announcementsOf, dueAfter, ordered, type Announcement } from './countdown.ts';
import { DueTimes } from './due-times.ts';
import { previewOf, type SchedulePreview } from './preview.ts';
import { runDue } from './due-runs.ts';

export const maxSchedules = 1_000;
/** Due times shown with a schedule. */
const shownRuns = 5;

type StoredSchedule = Awaited<ReturnType<typeof scheduleOf>>;
export type ScheduleRow = StoredSchedule & { next_runs: Date[]; next_announcements: Announcement[] };
export type ScheduleRunRow = Awaited<ReturnType<typeof runOf>>;

export class Schedules {
  readonly #commands: Commands;
  readonly #wipes: Pick<Wipes, 'createWithCommand' | 'requestIn'>;
  readonly #stepUps: Pick<StepUps, 'isConfirmed'>;
  readonly #dueTimes = new DueTimes();

  constructor(
    commands: Commands,
    wipes: Pick<Wipes, 'createWithCommand' | 'requestIn'>,
    stepUps: Pick<StepUps, 'isConfirmed'>,
  ) {
    this.#commands = commands;
    this.#wipes = wipes;
    this.#stepUps = stepUps;
  }

  async list(ctx: Ctx, query: Query<'listSchedules'>): Promise<Page<ScheduleRow>> {
    return ctx.read(async (queries) => {
      let found = schedules(queries);
      if (query.instance_id !== undefined) found = found.where('instance_id', '=', query.instance_id);
      const { rows, nextCursor } = await pageOf(found, query, byId('id', 'asc'));
      const now = await licenseNow(queries);
      return { rows: rows.map((row) => this.#withNextRuns(row, now)), nextCursor };
    });
  }

  async get(ctx: Ctx, id: string): Promise<ScheduleRow> {
    return ctx.read(async (queries) =>
      this.#withNextRuns(await scheduleOf(queries, id), await licenseNow(queries)),
    );
  }

  async create(ctx: Ctx, input: Schemas['ScheduleCreate']): Promise<ScheduleRow> {
    const timing = { cron: input.cron, timeZone: input.time_zone };
    this.#dueTimes.check(timing, 'body');
    refuseUnlessAllowed(ctx.license.permissions, input.action);
    checkAction(input.action);
    const isEnabled = input.is_enabled ?? true;
    const action = ordered(input.action);
    return ctx.transact(async (em, queries) => {
      const instance = await em.findOne(GameInstance, input.instance_id);
      if (instance === null) throw notFound('instance');
      refuseIncapable(instance, input.action);
      await refuseUnknownMap(em, input.action);
      await refuseBeyond(em, scheduleLimit(em, ctx.licenseId));
      const schedule = em.create(Schedule, {
        instanceId: input.instance_id,
        name: input.name,
        action,
        ...timing,
        missedRuns: input.missed_runs ?? 'skip',
        isEnabled,
        ...dueAfter(await licenseNow(queries), { ...timing, action, isEnabled }, this.#dueTimes),
        createdBy: ctx.actor?.label ?? '',
      });
      await refusing({ schedule_license_id_instance_id_fkey: () => notFound('instance') }, () => em.flush());
      return this.#withNextRuns(await scheduleOf(queries, schedule.id), await licenseNow(queries));
    });
  }

  async update(
    ctx: Ctx,
    id: string,
    expectedVersions: readonly number[] | null,
    changes: Schemas['ScheduleUpdate'],
  ): Promise<ScheduleRow> {
    const isConfirmed = await this.#stepUps.isConfirmed(ctx.principal);
    return ctx.transact(async (em, queries) => {
      const schedule = await lockedSchedule(em, id, expectedVersions);
      const held = ctx.license.permissions;
      refuseUnlessAllowed(held, schedule.action);
      if (changes.action !== undefined) {
        refuseUnlessAllowed(held, changes.action);
        checkAction(changes.action);
        if (!isConfirmed && keepsFewerBackups(schedule.action, changes.action)) throw stepUpRequired();
        await refuseUnknownMap(em, changes.action);
        refuseIncapable(await em.findOneOrFail(GameInstance, schedule.instanceId), changes.action);
      }
      schedule.name = changes.name ?? schedule.name;
      schedule.action = changes.action === undefined ? schedule.action : ordered(changes.action);
      schedule.missedRuns = changes.missed_runs ?? schedule.missedRuns;
      schedule.cron = changes.cron ?? schedule.cron;
      schedule.timeZone = changes.time_zone ?? schedule.timeZone;
      schedule.isEnabled = changes.is_enabled ?? schedule.isEnabled;
      if (changes.cron !== undefined || changes.time_zone !== undefined)
        this.#dueTimes.check(schedule, 'body');
      return this.#changed(em, queries, schedule);
    });
  }

  async toggle(ctx: Ctx, id: string, expectedVersions: readonly number[] | null): Promise<ScheduleRow> {
    return ctx.transact(async (em, queries) => {
      const schedule = await lockedSchedule(em, id, expectedVersions);
      schedule.isEnabled = !schedule.isEnabled;
      if (schedule.isEnabled) {
        refuseUnlessAllowed(ctx.license.permissions, schedule.action);
        refuseIncapable(await em.findOneOrFail(GameInstance, schedule.instanceId), schedule.action);
      }
      return this.#changed(em, queries, schedule);
    });
  }

  async delete(ctx: Ctx, id: string, expectedVersions: readonly number[] | null): Promise<void> {
    const isConfirmed = await this.#stepUps.isConfirmed(ctx.principal);
    await ctx.transact(async (em) => {
      const schedule = await lockedSchedule(em, id, expectedVersions);
      if (!isConfirmed && keepsFewerBackups(schedule.action)) throw stepUpRequired();
      em.remove(schedule);
    });
  }

  async preview(ctx: Ctx, query: Query<'previewSchedule'>): Promise<SchedulePreview> {
    const now = await ctx.read(licenseNow);
    return previewOf({ count: shownRuns, ...query }, now, this.#dueTimes);
  }

  async listRuns(ctx: Ctx, id: string, query: Query<'listScheduleRuns'>): Promise<Page<ScheduleRunRow>> {
    const { rows, nextCursor } = await ctx.read(async (queries) => {
      await scheduleOf(queries, id);
      let found = runs(queries).where('schedule_id', '=', id);
      if (query.status !== undefined) found = found.where('status', '=', query.status);
      return pageOf(found, query, byId('id', 'desc'));
    });
    return { rows: rows.map((row) => withoutUnseenDetail(ctx, row)), nextCursor };
  }

  /** Performs the schedule's action immediately. */
  async runNow(ctx: Ctx, id: string): Promise<ScheduleRunRow> {
    return ctx.transact(async (em, queries) => {
      const schedule = await em.findOne(Schedule, id, { lockMode: LockMode.PESSIMISTIC_READ });
      if (schedule === null) throw missing();
      refuseUnlessAllowed(ctx.license.permissions, schedule.action);
      const commandId = await this.#start(ctx, em, queries, schedule);
      const run = em.create(ScheduleRun, {
        scheduleId: id,
        status: 'running',
        commandId,
        requestedBy: ctx.actor?.label ?? null,
      });
      await em.flush();
      return withoutUnseenDetail(ctx, await runOf(queries, run.id));
    });
  }

  /** Runs those of the schedules that are due. Each due time runs once, even across processes. */
  async runDue(ctx: Ctx, ids: string[]): Promise<void> {
    await runDue(ctx, ids, { dueTimes: this.#dueTimes, wipes: this.#wipes });
  }

  /** Announces runs of these schedules. Each announcement is made once, even across processes. */
  async announceDue(ctx: Ctx, ids: string[]): Promise<void> {
    await announceDue(ctx, ids);
  }

  /** Returns the id of the command that the agent receives. */
  async #start(ctx: Ctx, em: EntityManager, queries: Queries, schedule: Schedule): Promise<string | null> {
    const work = workOf(schedule);
    if ('request' in work) {
      await refuseWithoutRoom(em, schedule);
      return (await this.#commands.create(ctx, schedule.instanceId, work.request)).id;
    }
    const asked = { input: work.wipe, requestedBy: ctx.actor?.label ?? null };
    return (await this.#wipes.requestIn(em, queries, schedule.instanceId, asked)).commandId ?? null;
  }

  async #changed(em: EntityManager, queries: Queries, schedule: Schedule): Promise<ScheduleRow> {
    const now = await licenseNow(queries);
    em.assign(schedule, dueAfter(now, schedule, this.#dueTimes));
    schedule.version += 1;
    await em.flush();
    return this.#withNextRuns(await scheduleOf(queries, schedule.id), now);
  }

  #withNextRuns(row: StoredSchedule, now: Date): ScheduleRow {
    const { cron, time_zone: timeZone, is_enabled: isEnabled } = row;
    const next_runs = isEnabled ? this.#dueTimes.after(now, { cron, timeZone }, shownRuns) : [];
    const next_announcements = next_runs
      .slice(0, 1)
      .flatMap((runAt) => announcementsOf(row.action, runAt, now));
    return { ...row, next_runs, next_announcements };
  }
}

function schedules(queries: Queries) {
  return queries
    .selectFrom('schedule')
    .select([
      'id',
      'instance_id',
      'name',
      'action',
      'cron',
      'time_zone',
      'missed_runs',
      'is_enabled',
      'created_by',
      'version',
      'created_at',
    ]);
}

async function scheduleOf(queries: Queries, id: string) {
  const schedule = await schedules(queries).where('id', '=', id).executeTakeFirst();
  if (schedule === undefined) throw missing();
  return schedule;
}

function runs(queries: Queries) {
  return queries
    .selectFrom('schedule_run')
    .select([
      'id',
      'schedule_id',
      'due_at',
      'status',
      'detail',
      'error_code',
      'command_id',
      'requested_by',
      'created_at',
      'finished_at',
    ])
    .select((run) =>
      run
        .selectFrom('command')
        .select('kind')
        .whereRef('command.license_id', '=', 'schedule_run.license_id')
        .whereRef('command.id', '=', 'schedule_run.command_id')
        .as('command_kind'),
    );
}

/** Removes the reply to a console line for callers who may not view the console. */
function withoutUnseenDetail(ctx: Ctx, run: ScheduleRunRow): ScheduleRunRow {
  return run.command_kind === null || canSeeDetail(ctx, run.command_kind) ? run : { ...run, detail: null };
}

async function runOf(queries: Queries, id: string) {
  return runs(queries).where('id', '=', id).executeTakeFirstOrThrow();
}

/** Locks the schedule against concurrent changes and runs; throws if it is not the version that the caller has seen. */
async function lockedSchedule(
  em: EntityManager,
  id: string,
  expectedVersions: readonly number[] | null,
): Promise<Schedule> {
  const schedule = await em.findOne(Schedule, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (schedule === null) throw missing();
  refuseStale(schedule, expectedVersions, 'The schedule');
  return schedule;
}

export const scheduleLimit = (em: EntityManager, licenseId: string): Limit => ({
  subject: `schedules ${licenseId}`,
  max: maxSchedules,
  count: () => em.count(Schedule),
  detail: `A license has at most ${maxSchedules} schedules.`,
});

const missing = () => notFound('schedule');
