// Schedules in migration documents, identified by instance and name, and by a counter where both are equal.
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { Schedule } from '../../../entities/index.ts';
import { invalidField, notFound } from '../../../errors.ts';
import { checkAction, refuseUnlessAllowed } from '../../schedules/actions.ts';
import { dueAfter, ordered } from '../../schedules/countdown.ts';
import type { DueTimes } from '../../schedules/due-times.ts';
import { maxSchedules, scheduleLimit } from '../../schedules/index.ts';
import type { ItemOf, MigrationPart } from '../part.ts';

type Item = ItemOf<'schedules'>;

export const schedulesPart = (dueTimes: DueTimes): MigrationPart<Item> => ({
  version: 1,
  max: maxSchedules,
  permission: 'schedules.manage',

  async page(queries, last, count) {
    const counted = queries
      .selectFrom('schedule')
      .innerJoin('game_instance', 'game_instance.id', 'schedule.instance_id')
      .innerJoin('agent_host', 'agent_host.id', 'game_instance.host_id')
      .select([
        'agent_host.hostname as host',
        'game_instance.name as instance',
        'schedule.name',
        sql<number>`(row_number() over (partition by instance_id, schedule.name order by schedule.id))::int`.as(
          'occurrence',
        ),
        'action',
        'cron',
        'time_zone',
        'missed_runs',
        'is_enabled',
      ]);
    let ordered = queries
      .selectFrom(counted.as('counted'))
      .selectAll()
      .orderBy(sql`host collate "C"`)
      .orderBy(sql`instance collate "C"`)
      .orderBy(sql`name collate "C"`)
      .orderBy('occurrence')
      .limit(count);
    if (last !== undefined)
      ordered = ordered.where(
        sql<boolean>`(host collate "C", instance collate "C", name collate "C", occurrence)
          > (${last.host}, ${last.instance}, ${last.name}, ${last.occurrence})`,
      );
    return ordered.execute();
  },

  labelOf: ({ host, instance, name }) => `${name}, of ${instance} on ${host}`,

  limit: ({ em, ctx }) => scheduleLimit(em, ctx.licenseId),

  async open({ em, queries, ctx, held, instances }, items) {
    const uploaded = await queries.selectFrom('map').select('id').execute();
    const maps = new Set(uploaded.map(({ id }) => id));
    const stored = await em.find(
      Schedule,
      {},
      { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
    );
    const byKey = new Map<string, Schedule>();
    for (const ofName of Map.groupBy(stored, (one) => keyFor(one.instanceId, one.name)).values())
      for (const [index, one] of ofName.entries())
        byKey.set(keyFor(one.instanceId, one.name, index + 1), one);
    const keyOf = (item: Item, occurrence = item.occurrence) =>
      keyFor(instances.idOf(item) ?? `${item.host}/${item.instance}`, item.name, occurrence);
    const inDocument = new Set(items.map((item) => keyOf(item)));
    return {
      keyOf: (item) => keyOf(item),
      refusals: { schedule_license_id_instance_id_fkey: () => notFound('instance') },

      reasonToSkip(item) {
        const mapId = item.action.kind === 'wipe' ? item.action.wipe.map_id : undefined;
        if (mapId !== undefined && !maps.has(mapId))
          return 'It wipes to an uploaded map, which is not in this license.';
        return instances.reasonToSkip(item);
      },

      stored(item) {
        const schedule = byKey.get(keyOf(item));
        return schedule && { ...item, ...settingsOf(schedule) };
      },

      check(item, before) {
        if (item.occurrence > 1 && !inDocument.has(keyOf(item, item.occurrence - 1)))
          throw invalidField({
            in: 'body',
            pointer: '/occurrence',
            detail: 'must follow the previous occurrence without a gap',
          });
        dueTimes.check({ cron: item.cron, timeZone: item.time_zone }, 'body');
        refuseUnlessAllowed(held, item.action);
        checkAction(item.action);
        if (before !== undefined) refuseUnlessAllowed(held, before.action);
      },

      async apply(pending) {
        const now = new Date();
        for (const { item, isNew } of pending) {
          const { cron, time_zone: timeZone, is_enabled: isEnabled, missed_runs: missedRuns } = item;
          const schedule = byKey.get(keyOf(item));
          const settings = { action: ordered(item.action), cron, timeZone, missedRuns, isEnabled };
          const announcedUntil = isNew ? null : schedule?.announcedUntil;
          const values = { ...settings, ...dueAfter(now, { ...settings, announcedUntil }, dueTimes) };
          const instanceId = instances.idOf(item);
          if (schedule !== undefined && !isNew)
            em.assign(schedule, { ...values, version: schedule.version + 1 });
          else if (instanceId !== undefined)
            em.create(Schedule, {
              ...values,
              instanceId,
              name: item.name,
              createdBy: ctx.actor?.label ?? '',
            });
        }
      },
    };
  },
});

const keyFor = (...parts: (string | number)[]) => JSON.stringify(parts);

function settingsOf(schedule: Schedule) {
  return {
    action: schedule.action,
    cron: schedule.cron,
    time_zone: schedule.timeZone,
    missed_runs: schedule.missedRuns,
    is_enabled: schedule.isEnabled,
  };
}
