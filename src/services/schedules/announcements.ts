// Announces coming runs to players. The command and the time of the next announcement are written atomically.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import { GameInstance, Schedule } from '../../entities/index.ts';
import { enqueueRelays } from '../../queue/enqueue.ts';
import { lackOf } from '../../preconditions/capabilities.ts';
import { newCommand, waitingLimit } from '../commands/index.ts';
import { roomWithin } from '../../preconditions/limits.ts';
import { announcementsOf, nextAnnouncementAt, type Announcement } from './countdown.ts';
import { momentOf } from './due-runs.ts';

interface Due {
  schedule: Schedule;
  announcement: Announcement;
}

/** Makes the due announcements that no other process is making. Late ones are skipped. */
export async function announceDue(ctx: Ctx, ids: string[]): Promise<void> {
  await ctx.transact(async (em) => {
    const { now, isActive } = await momentOf(ctx, em);
    const schedules = await em.find(
      Schedule,
      { id: { $in: ids }, nextAnnouncementAt: { $lte: now } },
      { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE, orderBy: { id: 'asc' } },
    );
    const due = isActive ? schedules.flatMap((schedule) => latestDue(schedule, now) ?? []) : [];
    const hosts = await makeCommands(em, due);
    for (const schedule of schedules) moveOn(schedule, now);
    await em.flush();
    await enqueueRelays(em, hosts);
  });
}

/** Of several due announcements only the last one is still true. */
function latestDue(schedule: Schedule, now: Date): Due | undefined {
  const { action, nextRunAt, nextAnnouncementAt: first } = schedule;
  if (!nextRunAt || !first || nextRunAt <= now) return undefined;
  const announcement = announcementsOf(action, nextRunAt, new Date(first.getTime() - 1)).findLast(
    ({ at }) => at <= now,
  );
  return announcement !== undefined && announcement.latestAt > now ? { schedule, announcement } : undefined;
}

function moveOn(schedule: Schedule, now: Date): void {
  schedule.announcedUntil = now;
  schedule.nextAnnouncementAt = schedule.nextRunAt
    ? nextAnnouncementAt(schedule, schedule.nextRunAt, now)
    : null;
}

/**
 * Creates commands only for running servers that can announce, within the host's limit of waiting commands. Returns the
 * hosts.
 */
async function makeCommands(em: EntityManager, due: Due[]): Promise<string[]> {
  // Transactions that lock several hosts lock them in the same order, which prevents deadlocks.
  const instances = await em.find(
    GameInstance,
    { id: { $in: due.map(({ schedule }) => schedule.instanceId) }, state: 'running' },
    { orderBy: { hostId: 'asc' } },
  );
  const capable = instances.filter(({ capabilities }) => lackOf(capabilities, 'announce') === undefined);
  const hosts = Map.groupBy(capable, ({ hostId }) => hostId);
  for (const [hostId, ofHost] of hosts) {
    const room = Math.max(0, await roomWithin(em, waitingLimit(em, hostId)));
    const ofInstances = due.flatMap(({ schedule, announcement }) => {
      const instance = ofHost.find(({ id }) => id === schedule.instanceId);
      return instance === undefined ? [] : [{ instance, by: schedule.name, announcement }];
    });
    for (const { instance, by, announcement } of ofInstances.slice(0, room))
      newCommand(em, instance, {
        verb: 'announce',
        args: { message: announcement.text, by },
        expiresAt: announcement.latestAt,
        requestedBy: by,
      });
  }
  return [...hosts.keys()];
}
