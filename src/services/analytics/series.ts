// The time series of an instance's heartbeat figures, by step.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Query } from '../../platform-contract/types.ts';
import { invalidField } from '../../errors.ts';
import { dayMs, refuseBackwards, scopeOf } from './period.ts';

const maxSteps = 1_000;
const defaultSteps = 100;

const sources = {
  '5m': { table: 'instance_stats_5m', ms: 300_000 },
  '1h': { table: 'instance_stats_hour', ms: 3_600_000 },
  '1d': { table: 'instance_stats_day', ms: dayMs },
} as const;

export type StatsSeries = Awaited<ReturnType<typeof statsSeries>>;

export async function statsSeries(
  ctx: Ctx,
  { instance_id: instanceId, from, to, step = '1h' }: Query<'getInstanceMetricsSeries'>,
) {
  const { table, ms } = sources[step];
  const endMs = to === undefined ? Date.now() : Date.parse(to);
  if (from !== undefined) refuseBackwards(from, endMs);
  const firstMs = Math.floor((from === undefined ? endMs - defaultSteps * ms : Date.parse(from)) / ms) * ms;
  if (endMs - firstMs > maxSteps * ms)
    throw invalidField({
      in: 'query',
      pointer: '/from',
      detail: `is more than ${maxSteps.toLocaleString('en')} steps before the end`,
    });
  const points = await ctx.readLagging(async (queries) => {
    await scopeOf(queries, instanceId);
    return queries
      .selectFrom(table)
      .select(({ fn }) => [
        'bucket_at',
        sql<number>`sum(samples)::int8`.as('samples'),
        sql<number | null>`sum(players_sum)::float8 / nullif(sum(players_samples), 0)`.as('average_players'),
        fn.min('players_min').as('min_players'),
        fn.max('players_max').as('max_players'),
        sql<number | null>`sum(fps_sum) / nullif(sum(fps_samples), 0)`.as('average_fps'),
        fn.min('fps_min').as('min_fps'),
        sql<number | null>`sum(entities_sum)::float8 / nullif(sum(entities_samples), 0)`.as(
          'average_entities',
        ),
        fn.max('entities_max').as('max_entities'),
      ])
      .where('license_id', '=', ctx.licenseId)
      .where('instance_id', '=', instanceId)
      .where('bucket_at', '>=', new Date(firstMs).toISOString())
      .where('bucket_at', '<', new Date(endMs).toISOString())
      .groupBy('bucket_at')
      .orderBy('bucket_at')
      .execute();
  });
  return { instanceId, step, points };
}
