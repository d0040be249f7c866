// Player sessions: the list, the distribution of lengths, and the peak hours of the week.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Query } from '../../platform-contract/types.ts';
import { formats, isTime } from '../../values/formats.ts';
import { causesOf } from '../../database/faults.ts';
import { invalidField } from '../../errors.ts';
import { decodeCursor, encodeCursor } from '../../lists/cursor.ts';
import { badCursor, type Page } from '../../lists/page.ts';
import { isTimeZone } from '../schedules/due-times.ts';
import { lengthEnds } from './count-statements.ts';
import { lastDays, refuseBackwards, rounded, scopeOf } from './period.ts';

const defaultDays = 30;
const defaultLimit = 25;

export type SessionLengths = Awaited<ReturnType<typeof sessionLengths>>;

export async function sessionLengths(
  ctx: Ctx,
  { days = defaultDays, instance_id: instanceId }: Query<'getSessionLengths'>,
) {
  const period = lastDays(days);
  const rows = await ctx.readLagging(async (queries) => {
    const scope = await scopeOf(queries, instanceId);
    return queries
      .selectFrom('session_day')
      .select(({ fn }) => [
        'length_class',
        sql<number>`${fn.sum('sessions')}::int8`.as('sessions'),
        sql<number>`${fn.sum('milliseconds')}::float8`.as('milliseconds'),
      ])
      .where('scope_id', '=', scope)
      .where('day', '>=', period.from)
      .where('day', '<=', period.to)
      .groupBy('length_class')
      .execute();
  });
  const sessionsOf = (length: number) =>
    rows.find(({ length_class }) => length_class === length)?.sessions ?? 0;
  const sessions = rows.reduce((sum, row) => sum + row.sessions, 0);
  const known = sessions - sessionsOf(0);
  const milliseconds = rows.reduce((sum, row) => sum + row.milliseconds, 0);
  return {
    ...period,
    sessions,
    unknown: sessionsOf(0),
    averageSeconds: known === 0 ? null : Math.round(milliseconds / known) / 1_000,
    known,
    lengths: [0, ...lengthEnds].map((from, index) => ({
      from,
      to: lengthEnds[index] ?? null,
      sessions: sessionsOf(index + 1),
    })),
  };
}

export interface HourOfWeek {
  weekday: number;
  hour: number;
  average_players: number;
}

export async function peakHours(
  ctx: Ctx,
  { days = defaultDays, instance_id: instanceId, time_zone: timeZone = 'UTC' }: Query<'getPeakHours'>,
) {
  if (!isTimeZone(timeZone)) throw noTimeZone();
  const period = lastDays(days);
  const hours = await ctx.readLagging(async (queries) => {
    const scope = await scopeOf(queries, instanceId);
    const from = sql`${period.from}::timestamp at time zone 'UTC'`;
    const { rows } = await sql<HourOfWeek>`
      select date_part('isodow', local)::integer as weekday, date_part('hour', local)::integer as hour,
        coalesce(sum(milliseconds::float8), 0) / (count(*) * 900000) as average_players
      from (
        select at at time zone ${timeZone} as local, milliseconds
        from generate_series(${from}, now() - interval '15 minutes', '15 minutes') as at
        left join (
          select quarter_at, milliseconds from session_quarter where scope_id = ${scope} and quarter_at >= ${from}
        ) as played on quarter_at = at
      ) as quarters
      group by 1, 2 order by 1, 2`
      .execute(queries)
      .catch((error: unknown) => {
        // The database's time zone list may be older than this process's.
        throw causesOf(error).some(({ code }) => code === '22023') ? noTimeZone() : error;
      });
    return rows.map((row) => ({ ...row, average_players: rounded(row.average_players, 2) }));
  });
  const max = Math.max(...hours.map(({ average_players }) => average_players));
  return {
    ...period,
    timeZone,
    hours,
    peak: max > 0 ? (hours.find(({ average_players }) => average_players === max) ?? null) : null,
  };
}

const noTimeZone = () =>
  invalidField({ in: 'query', pointer: '/time_zone', detail: 'is not in the time zone database' });

export type SessionRow = Awaited<ReturnType<typeof listSessions>>['rows'][number];

export async function listSessions(
  ctx: Ctx,
  { instance_id: instanceId, steam_id, from, to, limit = defaultLimit, cursor }: Query<'listPlayerSessions'>,
) {
  if (from !== undefined && to !== undefined) refuseBackwards(from, Date.parse(to));
  return ctx.readLagging(async (queries) => {
    await scopeOf(queries, instanceId);
    let found = queries
      .selectFrom('player_session as session')
      .leftJoin('player', (join) =>
        join
          .onRef('player.license_id', '=', 'session.license_id')
          .onRef('player.steam_id', '=', 'session.steam_id'),
      )
      .select([
        'session.instance_id',
        'session.steam_id',
        'player.name',
        'started_at',
        'ended_at',
        'has_join',
        'end_reason',
        sql<number | null>`case when has_join then extract(epoch from ended_at - started_at)::float8 end`.as(
          'duration_seconds',
        ),
      ])
      .where('session.license_id', '=', ctx.licenseId)
      .orderBy('started_at', 'desc')
      .orderBy('session.instance_id', 'desc')
      .orderBy('session.steam_id', 'desc')
      .limit(limit + 1);
    if (instanceId !== undefined) found = found.where('session.instance_id', '=', instanceId);
    if (steam_id !== undefined) found = found.where('session.steam_id', '=', steam_id);
    if (from !== undefined) found = found.where('started_at', '>=', from);
    if (to !== undefined) found = found.where('started_at', '<', to);
    if (cursor !== undefined) {
      const last = keyIn(cursor);
      // The separate condition on the time lets PostgreSQL prune partitions.
      found = found
        .where('started_at', '<=', last.startedAt)
        .where(
          sql<boolean>`(started_at, session.instance_id, session.steam_id) < (${last.startedAt}::timestamptz, ${last.instanceId}::uuid, ${last.steamId})`,
        );
    }
    return pageOf(await found.execute(), limit);
  });
}

/** The cursor holds the time, the instance and the player, because several sessions may begin at the same time. */
function keyIn(cursor: string) {
  const [startedAt = '', instanceId = '', steamId = '', ...rest] = decodeCursor(cursor)?.split(' ') ?? [];
  if (!isTime(startedAt) || !formats.uuid(instanceId) || !/^\d{1,20}$/.test(steamId) || rest.length > 0)
    throw badCursor();
  return { startedAt, instanceId, steamId };
}

function pageOf<Row extends { started_at: string; instance_id: string; steam_id: string }>(
  rows: Row[],
  limit: number,
): Page<Row> {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  if (rows.length <= limit || last === undefined) return { rows: kept, nextCursor: null };
  return { rows: kept, nextCursor: encodeCursor(`${last.started_at} ${last.instance_id} ${last.steam_id}`) };
}
