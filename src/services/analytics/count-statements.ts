// The statements that count session changes into the analytics roll-ups, each in one snapshot.
import { wholeLicense } from '../../entities/session-counts.ts';

/** Upper ends of the session length classes, in seconds; the last class has none. */
export const lengthEnds = [300, 900, 1_800, 3_600, 7_200, 14_400, 28_800] as const;

/** Players who return after more days than this count as new within any period. */
export const maxPeriodDays = 366;

const slotSeconds = 300;
const slotOf = (time: string) => `(extract(epoch from ${time})::bigint % 86400 / ${slotSeconds})::integer`;
const dayOf = (time: string) => `((${time}) at time zone 'UTC')::date`;

const session = 'instance_id, steam_id, started_at, ended_at, has_join';

/**
 * Sessions as counted so far: the existing sessions, without the changes that are still queued. Both are committed
 * together, so one snapshot sees them consistently.
 *
 * They are looked up for each fresh row: `offset 0` keeps the lookup apart from the join. Row level security would keep
 * bounds that are computed from joined columns out of an index scan, and every later session of the server would be read.
 */
const countedSessions = (meets: string) => `
  select counted.*, fresh.* from fresh cross join lateral (
    select ${session}, 1 as sign from player_session where ${meets}
    union all
    select ${session}, -sign from session_change where ${meets} and map_id is null and wipe_id is null
    offset 0
  ) as counted`;

const changeAgain = (column: 'map_id' | 'wipe_id') => `
  insert into session_change (sign, ${session}, ${column})
  select sum(sign), ${session}, ${column} from counted group by ${session}, ${column} having sum(sign) <> 0`;

/**
 * Takes map sightings off the queue. Sessions that began in five minutes that are new to a map are queued for its
 * counts.
 */
export const countSightings = `
  with taken as (
    delete from map_sighting where id = any(array(select id from map_sighting order by id limit ?))
    returning instance_id as on_instance, map_id, bucket_at
  ), fresh as (
    select distinct on_instance, map_id, bucket_at from taken where not exists (
      select from map_day where map_day.instance_id = on_instance and map_day.map_id = taken.map_id
        and day = ${dayOf('bucket_at')} and get_bit(slots, ${slotOf('bucket_at')}) = 1)
  ), marked as (
    insert into map_day (instance_id, map_id, day, slots)
    select on_instance, map_id, ${dayOf('bucket_at')},
      bit_or(set_bit(repeat('0', 288)::bit(288), ${slotOf('bucket_at')}, 1))
    from fresh group by 1, 2, 3
    on conflict (license_id, instance_id, day, map_id) do update set slots = map_day.slots | excluded.slots
  ), counted as (
    ${countedSessions(
      `instance_id = on_instance and started_at >= bucket_at
        and started_at < bucket_at + interval '${slotSeconds} seconds'`,
    )}
  ), again as (
    ${changeAgain('map_id')}
  )
  select count(*) as taken from taken`;

/** Takes completed wipes that are not counted yet; the sessions around them are queued to be counted for them. */
export const countWipes = `
  with fresh as (
    update wipe_retention set is_counted = true
    where wipe_id = any(array(select wipe_id from wipe_retention where not is_counted order by wiped_at limit ?))
    returning wipe_id, instance_id as on_instance, wiped_at
  ), counted as (
    ${countedSessions(
      `instance_id = on_instance and started_at < wiped_at + interval '96 hours'
        and (ended_at >= wiped_at or ended_at is null and started_at >= wiped_at)`,
    )}
  ), again as (
    ${changeAgain('wipe_id')}
  )
  select count(*) as taken from fresh`;

/** Whether the session overlaps the 24 hours that begin `hours` hours after the wipe. */
const meetsDayAfter = (hours: number) => `
  (started_at < wiped_at + interval '${hours + 24} hours' and until_at > wiped_at + interval '${hours} hours')`;
const wipeDays = ['first_day', 'second_day', 'third_day', 'fourth_day'];
const sessionsAfter = (hours: number) => `coalesce(sum(sign) filter (where ${meetsDayAfter(hours)}), 0)`;

/**
 * A stored sum before its change: grouped with its change, which has the opposite sign and is not stored. Grouping
 * stays linear where a join of the two could be planned as a nested loop.
 */
const beforeOf = (column: string) => `coalesce(sum(${column}), 0)`;
const afterOf = (column: string) => `coalesce(sum(${column}) filter (where is_stored), 0)`;

const isOf = (valueOf: (column: string) => string, point?: string) =>
  ['first_day', ...(point === undefined ? [] : [point])]
    .map((column) => `${valueOf(column)} > 0`)
    .join(' and ');
const turnOf = (point?: string) => `(${isOf(afterOf, point)})::integer - (${isOf(beforeOf, point)})::integer`;

const lengthClass = `case when length is null then 0 ${lengthEnds
  .map((end, index) => `when length < ${end * 1_000} then ${index + 1}`)
  .join(' ')} else ${lengthEnds.length + 1} end`;

const milliseconds = (span: string) => `(extract(epoch from ${span}) * 1000)::bigint`;

/** Days on which players played, each with the gap in days since the day before it; null for a player's first day. */
const withGaps = (days: string) => `
  select scope_id, steam_id, day, day - lag(day) over (partition by scope_id, steam_id order by day) as gap
  from (${days}) as days`;

const dayNear = (condition: string) => `
  select day from player_day as near where near.scope_id = affected.scope_id and near.steam_id = affected.steam_id
    and near.sessions > 0 and ${condition}`;

/** Takes session changes off the queue and counts them into every figure. */
export const countSessions = `
  with taken as (
    delete from session_change where id = any(array(select id from session_change order by id limit ?)) returning *
  ), change as (
    select ${session}, map_id, wipe_id, sum(sign)::integer as sign,
      greatest(coalesce(ended_at, started_at), started_at + interval '1 millisecond') as until_at,
      case when has_join then ${milliseconds('ended_at - started_at')} end as length
    from taken group by ${session}, map_id, wipe_id having sum(sign) <> 0
  ), scoped as (
    select scope_id, change.* from change cross join lateral (
      select '${wholeLicense}'::uuid as scope_id where map_id is null and wipe_id is null
      union all select instance_id where map_id is null and wipe_id is null
      union all select map_id where map_id is not null
      union all select map_day.map_id from map_day where change.map_id is null and wipe_id is null
        and map_day.instance_id = change.instance_id and day = ${dayOf('started_at')}
        and get_bit(slots, ${slotOf('started_at')}) = 1
    ) as scope
  ),

  session_days as (
    insert into session_day as known (scope_id, day, length_class, sessions, milliseconds)
    select scope_id, day, ${lengthClass}, sum(sign), coalesce(sum(sign * length), 0)
    from scoped cross join lateral (values (${dayOf('started_at')}), ('-infinity')) as counted(day)
    group by 1, 2, 3
    on conflict (license_id, scope_id, day, length_class) do update set
      sessions = known.sessions + excluded.sessions, milliseconds = known.milliseconds + excluded.milliseconds
  ), quarters as (
    insert into session_quarter as known (scope_id, quarter_at, milliseconds)
    select scope_id, quarter_at, sum(sign * ${milliseconds(
      `least(ended_at, quarter_at + interval '15 minutes') - greatest(started_at, quarter_at)`,
    )})
    from scoped cross join lateral
      generate_series(date_bin('15 minutes', started_at, 'epoch'), ended_at, '15 minutes') as quarter_at
    where map_id is null and quarter_at < ended_at and scope_id in ('${wholeLicense}', instance_id)
    group by 1, 2
    on conflict (license_id, scope_id, quarter_at) do update set
      milliseconds = known.milliseconds + excluded.milliseconds
  ),

  day_changes as (
    select scope_id, steam_id, day::date as day, sum(sign)::integer as sessions from scoped cross join lateral
      generate_series(${dayOf('started_at')}, ${dayOf(`until_at - interval '1 millisecond'`)}, '1 day') as day
    group by 1, 2, 3 having sum(sign) <> 0
  ), stored_days as (
    insert into player_day as known (scope_id, steam_id, day, sessions)
    select scope_id, steam_id, day, sessions from day_changes
    on conflict (license_id, scope_id, steam_id, day) do update set sessions = known.sessions + excluded.sessions
    returning scope_id, steam_id, day, sessions
  ), days as (
    select scope_id, steam_id, day, ${beforeOf('sessions')} > 0 as was, ${afterOf('sessions')} > 0 as is_now
    from (
      select *, true as is_stored from stored_days
      union all select scope_id, steam_id, day, -sessions, false from day_changes
    ) as sides group by 1, 2, 3
  ), turned as (
    select * from days where was <> is_now
  ), affected as (
    select scope_id, steam_id, min(day) as first, max(day) as last from turned group by 1, 2
  ), around as (
    select scope_id, steam_id, day from affected cross join lateral (
      (${dayNear('day < first order by day desc limit 1')})
      union all (${dayNear('day between first and last')})
      union all (${dayNear('day > last order by day limit 1')})
    ) as near
  ), moved as (
    select scope_id, day, gap, sum(weight) as players from (
      select *, -1 as weight from (${withGaps('select * from around')}) as before
      union all
      select *, 1 from (${withGaps(`
        select * from around except select scope_id, steam_id, day from turned where was
        union all select scope_id, steam_id, day from turned where is_now`)}) as after
    ) as steps join affected using (scope_id, steam_id) where day >= first
    group by 1, 2, 3 having sum(weight) <> 0
  ), player_days as (
    insert into player_day_count as known (scope_id, day, players, new_players)
    select scope_id, counted.day, sum(counted.players), coalesce(sum(moved.players) filter (where gap is null), 0)
    from moved cross join lateral (
      select day, moved.players union all select '-infinity', moved.players where gap is null
    ) as counted
    group by 1, 2
    on conflict (license_id, scope_id, day) do update set
      players = known.players + excluded.players, new_players = known.new_players + excluded.new_players
  ), returns as (
    insert into player_return as known (scope_id, day, gap, players)
    select scope_id, day, gap, players from moved where gap <= ${maxPeriodDays}
    on conflict (license_id, scope_id, day, gap) do update set players = known.players + excluded.players
  ),

  wipe_changes as (
    select wipe.wipe_id, steam_id, ${wipeDays.map((day, index) => `${sessionsAfter(24 * index)} as ${day}`).join(', ')}
    from change cross join lateral (
      select wipe_id, wiped_at from wipe_retention where is_counted and instance_id = change.instance_id
        and wiped_at < until_at and wiped_at > started_at - interval '96 hours'
      offset 0
    ) as wipe
    where map_id is null and coalesce(change.wipe_id, wipe.wipe_id) = wipe.wipe_id
    group by 1, 2
  ), stored_wipes as (
    insert into wipe_player as known (wipe_id, steam_id, ${wipeDays.join(', ')})
    select wipe_id, steam_id, ${wipeDays.join(', ')} from wipe_changes
    on conflict (license_id, wipe_id, steam_id) do update set
      first_day = known.first_day + excluded.first_day, second_day = known.second_day + excluded.second_day,
      third_day = known.third_day + excluded.third_day, fourth_day = known.fourth_day + excluded.fourth_day
    returning wipe_id, steam_id, ${wipeDays.join(', ')}
  ), wiped as (
    select wipe_id, ${turnOf()} as cohort, ${turnOf('second_day')} as second_day,
      ${turnOf('third_day')} as third_day, ${turnOf('fourth_day')} as fourth_day
    from (
      select *, true as is_stored from stored_wipes
      union all select wipe_id, steam_id, ${wipeDays.map((day) => `-${day}`).join(', ')}, false from wipe_changes
    ) as sides group by wipe_id, steam_id
  ), retained as (
    update wipe_retention as wipe set
      cohort = wipe.cohort + turn.cohort, second_day = wipe.second_day + turn.second_day,
      third_day = wipe.third_day + turn.third_day, fourth_day = wipe.fourth_day + turn.fourth_day
    from (select wipe_id, sum(cohort) as cohort, sum(second_day) as second_day, sum(third_day) as third_day,
      sum(fourth_day) as fourth_day from wiped group by 1) as turn
    where wipe.wipe_id = turn.wipe_id
  )
  select count(*) as taken from taken`;

/** Deletes player days that have no sessions left. */
export const forgetEmptyDays = 'delete from player_day where sessions = 0';
