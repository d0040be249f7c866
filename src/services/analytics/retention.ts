// Player retention after wipes: by wipe, and compared across wipes.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Query } from '../../platform-contract/types.ts';
import { percentOf, rounded, scopeOf } from './period.ts';

export const retentionHours = [24, 48, 72] as const;

export interface RetentionPoint {
  hours: (typeof retentionHours)[number];
  players: number | null;
  percent: number | null;
  isFinal: boolean;
}

export type WipeRetention = Awaited<ReturnType<typeof retention>>['wipes'][number];

export interface RetentionComparison {
  hours: RetentionPoint['hours'];
  wipes: number;
  average: number | null;
  best: string | null;
  worst: string | null;
}

const newestWipes = 6;
const hourMs = 3_600_000;

export async function retention(
  ctx: Ctx,
  { wipes: count = newestWipes, instance_id: instanceId }: Query<'getPlayerRetention'>,
) {
  const rows = await ctx.readLagging(async (queries) => {
    await scopeOf(queries, instanceId);
    let newest = queries
      .selectFrom('wipe_retention')
      .innerJoin('wipe_history', 'wipe_history.id', 'wipe_retention.wipe_id')
      .select([
        'wipe_id',
        'wipe_retention.instance_id',
        'instance_name',
        'kind',
        'wiped_at',
        'cohort',
        'second_day',
        'third_day',
        'fourth_day',
      ])
      .orderBy('wiped_at', 'desc')
      .orderBy(sql.ref('wipe_id'), 'desc')
      .limit(count);
    if (instanceId !== undefined) newest = newest.where('wipe_retention.instance_id', '=', instanceId);
    return newest.execute();
  });
  const now = Date.now();
  const wipes = rows.map(({ second_day, third_day, fourth_day, ...wipe }) => ({
    ...wipe,
    cohort: wipe.cohort ?? 0,
    points: retentionHours.map((hours) =>
      pointOf(
        { wipedAt: Date.parse(wipe.wiped_at), cohort: wipe.cohort ?? 0 },
        { hours, players: { 24: second_day, 48: third_day, 72: fourth_day }[hours] ?? 0 },
        now,
      ),
    ),
  }));
  return { wipes, comparison: retentionHours.map((hours) => compareAt(hours, wipes)) };
}

/** Returns the figures of a retention point; they are null until its time is reached. */
export function pointOf(
  { wipedAt, cohort }: { wipedAt: number; cohort: number },
  { hours, players }: { hours: RetentionPoint['hours']; players: number },
  now: number,
): RetentionPoint {
  const isReached = now >= wipedAt + hours * hourMs;
  return {
    hours,
    players: isReached ? players : null,
    percent: isReached ? percentOf(players, cohort) : null,
    isFinal: now >= wipedAt + (hours + 24) * hourMs,
  };
}

/** Compares the wipes that have a percentage at that point. */
export function compareAt(
  hours: RetentionPoint['hours'],
  wipes: readonly { wipe_id: string; points: readonly RetentionPoint[] }[],
): RetentionComparison {
  const shares = wipes.flatMap(({ wipe_id: id, points }) => {
    const percent = points.find((point) => point.hours === hours)?.percent ?? null;
    return percent === null ? [] : [{ id, percent }];
  });
  const ranked = shares.toSorted((one, other) => other.percent - one.percent);
  const lowest = ranked.at(-1)?.percent;
  const sum = shares.reduce((total, { percent }) => total + percent, 0);
  return {
    hours,
    wipes: shares.length,
    average: shares.length === 0 ? null : rounded(sum / shares.length, 1),
    best: ranked[0]?.id ?? null,
    worst: ranked.find(({ percent }) => percent === lowest)?.id ?? null,
  };
}
