// Runs due schedules. The command, the record of the run and the next due time are written atomically.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { GameInstance, Schedule, ScheduleRun } from '../../entities/index.ts';
import { DomainError } from '../../errors.ts';
import { enqueueRelays } from '../../queue/enqueue.ts';
import { refuseUnlessCapable } from '../../preconditions/capabilities.ts';
import { newCommand, waitingLimit } from '../commands/index.ts';
import { limitReached, roomWithin } from '../../preconditions/limits.ts';
import type { Wipes } from '../wipes/index.ts';
import { refuseWithoutRoom, workOf } from './actions.ts';
import { dueAfter } from './countdown.ts';
import type { DueTimes } from './due-times.ts';
import { isMissed, missedRun } from './missed-runs.ts';

interface Due {
  schedule: Schedule;
  dueAt: Date;
}

/** A started run and the command that its agent receives. */
interface Started {
  item: Due;
  hostId: string;
  commandId: () => string;
}

interface Means {
  dueTimes: DueTimes;
  wipes: Pick<Wipes, 'createWithCommand'>;
}

/** Runs those of the schedules that are due and that no other process is running. */
export async function runDue(ctx: Ctx, ids: string[], { dueTimes, wipes }: Means): Promise<void> {
  await ctx.transact(async (em, queries) => {
    const { now, isActive } = await momentOf(ctx, em);
    const due = await takeDue(em, ids, now);
    const start = (item: Due, instance: GameInstance) => startOne({ em, queries, wipes }, item, instance);
    const started = isActive ? await startAll(em, due, now, start) : [];
    for (const { schedule } of due) em.assign(schedule, dueAfter(now, schedule, dueTimes));
    await em.flush();
    await enqueueRelays(em, started);
  });
}

/**
 * Locks the due schedules and returns them with their due times; schedules that another replica is running are skipped.
 */
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

/** Creates the commands and the records of the runs. A due time that was run before is skipped. Returns the hosts. */
async function startAll(em: EntityManager, due: Due[], now: Date, start: Start): Promise<string[]> {
  const before = await em.find(ScheduleRun, {
    $or: due.map(({ schedule, dueAt }) => ({ scheduleId: schedule.id, dueAt })),
  });
  const isNew = ({ schedule, dueAt }: Due) =>
    !before.some((run) => run.scheduleId === schedule.id && run.dueAt?.getTime() === dueAt.getTime());
  const fresh = due.filter(isNew);
  const isLate = ({ schedule, dueAt }: Due) => isMissed(schedule.missedRuns, dueAt, now);
  for (const { schedule, dueAt } of fresh.filter(isLate))
    em.create(ScheduleRun, { scheduleId: schedule.id, dueAt, ...missedRun, finishedAt: now });
  return startCommands(
    em,
    fresh.filter((item) => !isLate(item)),
    now,
    start,
  );
}

type Start = (item: Due, instance: GameInstance) => Promise<Started>;

/** A wipe that is refused fails before anything is written. */
async function startOne(
  { em, queries, wipes }: { em: EntityManager; queries: Queries; wipes: Means['wipes'] },
  item: Due,
  instance: GameInstance,
): Promise<Started> {
  const work = workOf(item.schedule);
  const requestedBy = item.schedule.name;
  const { hostId } = instance;
  if ('request' in work) {
    refuseUnlessCapable(instance, work.request.verb);
    await refuseWithoutRoom(em, item.schedule);
    const command = newCommand(em, instance, { ...work.request, requestedBy });
    return { item, hostId, commandId: () => command.id };
  }
  const { commandId } = await wipes.createWithCommand(em, queries, instance, {
    input: work.wipe,
    requestedBy,
  });
  return { item, hostId, commandId: () => commandId ?? '' };
}

async function startCommands(em: EntityManager, due: Due[], now: Date, start: Start): Promise<string[]> {
  // Transactions that lock several hosts lock them in the same order, which prevents deadlocks.
  const instances = await em.find(
    GameInstance,
    { id: { $in: due.map(({ schedule }) => schedule.instanceId) } },
    { orderBy: { hostId: 'asc' } },
  );
  const made: Started[] = [];
  const fail = (
    { schedule, dueAt }: Due,
    { code: errorCode, message: detail }: { code: string; message: string },
  ) => {
    const outcome = { status: 'failed', errorCode, detail, finishedAt: now } as const;
    em.create(ScheduleRun, { scheduleId: schedule.id, dueAt, ...outcome });
  };
  for (const [hostId, ofHost] of Map.groupBy(instances, (instance) => instance.hostId)) {
    const limit = waitingLimit(em, hostId);
    let room = await roomWithin(em, limit);
    for (const item of due) {
      const instance = ofHost.find(({ id }) => id === item.schedule.instanceId);
      if (instance === undefined) continue;
      if (room <= 0) {
        fail(item, limitReached(limit));
        continue;
      }
      try {
        made.push(await start(item, instance));
        room -= 1;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        fail(item, error);
      }
    }
  }
  await em.flush();
  for (const { item, commandId } of made)
    em.create(ScheduleRun, {
      scheduleId: item.schedule.id,
      dueAt: item.dueAt,
      status: 'running',
      commandId: commandId(),
    });
  return made.map(({ hostId }) => hostId);
}

/** The license's clock is the same for every replica. Locks the license's status until the transaction ends. */
export async function momentOf(ctx: Ctx, em: EntityManager): Promise<{ now: Date; isActive: boolean }> {
  const [row] = await em.execute<{ now: string; status: string }[]>(
    'select license_now() as now, license_status_held(?) as status',
    [ctx.licenseId],
  );
  return { now: new Date(row?.now ?? NaN), isActive: row?.status === 'active' };
}
