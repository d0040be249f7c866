// Runs schedules that are due: the command, the record of the run and the next due time, all or nothing.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import { GameInstance, Schedule, ScheduleRun, type Command } from '../../entities/index.ts';
import { enqueueRelay } from '../../jobs/enqueue.ts';
import { newCommand, waitingLimit } from '../commands.ts';
import { limitReached, roomWithin } from '../limits.ts';
import { requestOf } from './actions.ts';
import type { DueTimes } from './due-times.ts';

/** A due time that is seen later than this was missed. */
const lateMs = 5 * 60_000;

interface Due {
  schedule: Schedule;
  dueAt: Date;
}

/** Runs those of the schedules that are due and that nobody else is running. */
export async function runDue(ctx: Ctx, ids: string[], dueTimes: DueTimes): Promise<void> {
  await ctx.transact(async (em) => {
    const { now, isActive } = await momentOf(ctx, em);
    const due = await takeDue(em, ids, now);
    const started = isActive ? await startAll(em, due, now) : [];
    for (const { schedule } of due) schedule.nextRunAt = dueTimes.after(now, schedule)[0] ?? null;
    await em.flush();
    for (const hostId of new Set(started.map((command) => command.hostId))) await enqueueRelay(em, hostId);
  });
}

/** The database's clock is the same for every replica. The license stays as it is until the transaction has ended. */
async function momentOf(ctx: Ctx, em: EntityManager): Promise<{ now: Date; isActive: boolean }> {
  const [row] = await em.execute<{ now: string; status: string }[]>(
    'select now() as now, license_status_held(?) as status',
    [ctx.licenseId],
  );
  return { now: new Date(row?.now ?? NaN), isActive: row?.status === 'active' };
}

/** Schedules that are due, each with its due time; those that another replica is running are left to it. */
async function takeDue(em: EntityManager, ids: string[], now: Date): Promise<Due[]> {
  const schedules = await em.find(
    Schedule,
    { id: { $in: ids }, nextRunAt: { $lte: now } },
    { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE, orderBy: { id: 'asc' } },
  );
  return schedules.flatMap((schedule) =>
    schedule.nextRunAt === null || schedule.nextRunAt === undefined
      ? []
      : [{ schedule, dueAt: schedule.nextRunAt }],
  );
}

/** Makes the commands and the records of the runs; a due time that was run before is left alone. */
async function startAll(em: EntityManager, due: Due[], now: Date): Promise<Command[]> {
  const before = await em.find(ScheduleRun, {
    $or: due.map(({ schedule, dueAt }) => ({ scheduleId: schedule.id, dueAt })),
  });
  const isNew = ({ schedule, dueAt }: Due) =>
    !before.some((run) => run.scheduleId === schedule.id && run.dueAt?.getTime() === dueAt.getTime());
  const fresh = due.filter(isNew);
  const isMissed = ({ schedule, dueAt }: Due) =>
    schedule.missedRuns === 'skip' && now.getTime() - dueAt.getTime() > lateMs;
  for (const { schedule, dueAt } of fresh.filter(isMissed)) {
    const detail = 'The platform was not there to run it in time.';
    em.create(ScheduleRun, { scheduleId: schedule.id, dueAt, status: 'skipped', detail, finishedAt: now });
  }
  return startCommands(
    em,
    fresh.filter((item) => !isMissed(item)),
    now,
  );
}

async function startCommands(em: EntityManager, due: Due[], now: Date): Promise<Command[]> {
  // Whoever takes the turns of several hosts takes them in one order.
  const instances = await em.find(
    GameInstance,
    { id: { $in: due.map(({ schedule }) => schedule.instanceId) } },
    { orderBy: { hostId: 'asc' } },
  );
  const made: { item: Due; command: Command }[] = [];
  for (const [hostId, ofHost] of Map.groupBy(instances, (instance) => instance.hostId)) {
    const limit = waitingLimit(em, hostId);
    let room = await roomWithin(em, limit);
    for (const item of due) {
      const { schedule, dueAt } = item;
      const instance = ofHost.find(({ id }) => id === schedule.instanceId);
      if (instance === undefined) continue;
      if (room > 0) {
        const request = { ...requestOf(schedule), requestedBy: schedule.name };
        made.push({ item, command: newCommand(em, instance, request) });
        room -= 1;
      } else {
        const { code: errorCode, message: detail } = limitReached(limit);
        const outcome = { status: 'failed', errorCode, detail, finishedAt: now } as const;
        em.create(ScheduleRun, { scheduleId: schedule.id, dueAt, ...outcome });
      }
    }
  }
  await em.flush();
  for (const { item, command } of made)
    em.create(ScheduleRun, {
      scheduleId: item.schedule.id,
      dueAt: item.dueAt,
      status: 'running',
      commandId: command.id,
    });
  return made.map(({ command }) => command);
}
