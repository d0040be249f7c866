// Operations of the area `analytics`.
import type { Schemas } from '../platform-contract/types.ts';
import { Table, type Columns } from '../results/results.ts';
import type { MapAnalytics, MapFigures } from '../services/analytics/maps.ts';
import { percentOf } from '../services/analytics/period.ts';
import type { PlayerAnalytics } from '../services/analytics/players.ts';
import type { RetentionComparison, RetentionPoint, WipeRetention } from '../services/analytics/retention.ts';
import type { StatsSeries } from '../services/analytics/series.ts';
import type { SessionLengths, SessionRow } from '../services/analytics/sessions.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const analytics = {
  getMapAnalytics: async (ctx, { query }) => viewMaps(await ctx.services.analytics.maps(ctx, query)),
  getPlayerRetention: async (ctx, { query, wantsCsv }) => {
    const { wipes, comparison } = await ctx.services.analytics.retention(ctx, query);
    return wantsCsv
      ? new Table('retention.csv', columns, everyOne(wipes))
      : { wipes: wipes.map(viewWipe), comparison: comparison.map(viewComparison) };
  },
  getPlayerAnalytics: async (ctx, { query }) => viewPlayers(await ctx.services.analytics.players(ctx, query)),
  getSessionLengths: async (ctx, { query }) =>
    viewLengths(await ctx.services.analytics.sessionLengths(ctx, query)),
  getPeakHours: async (ctx, { query }) => {
    const { from, to, timeZone, peak, hours } = await ctx.services.analytics.peakHours(ctx, query);
    return { from, to, time_zone: timeZone, peak, hours };
  },
  getInstanceMetricsSeries: async (ctx, { query }) =>
    viewSeries(await ctx.services.analytics.statsSeries(ctx, query)),
  listPlayerSessions: async (ctx, { query }) =>
    viewPage(await ctx.services.analytics.sessions(ctx, query), viewSession),
} satisfies Partial<Handlers>;

function viewMaps({ range, from, maps, best, rotationEffectiveness }: MapAnalytics): Schemas['MapAnalytics'] {
  return {
    range,
    from,
    maps: maps.map(viewMap),
    best_map: best && {
      map_id: best.map_id,
      name: best.name,
      effectiveness_percent: best.effectiveness ?? 0,
    },
    rotation_effectiveness_percent: rotationEffectiveness,
  };
}

function viewMap(map: MapFigures): Schemas['MapMetrics'] {
  return {
    map_id: map.map_id,
    name: map.name,
    average_players: map.average_players,
    peak_players: map.peak_players,
    hours: map.hours,
    sessions: map.sessions,
    unique_players: map.unique_players,
    effectiveness_percent: map.effectiveness,
    effectiveness_color: map.color,
  };
}

function viewWipe(wipe: WipeRetention): Schemas['WipeRetention'] {
  return {
    wipe_id: wipe.wipe_id,
    instance_id: wipe.instance_id,
    instance_name: wipe.instance_name,
    kind: wipe.kind,
    wiped_at: wipe.wiped_at,
    cohort_players: wipe.cohort,
    points: wipe.points.map(({ hours, players, percent, isFinal }) => ({
      after_hours: hours,
      players,
      percent,
      is_final: isFinal,
    })),
  };
}

function viewComparison({
  hours,
  wipes,
  average,
  best,
  worst,
}: RetentionComparison): Schemas['RetentionComparison'] {
  return {
    after_hours: hours,
    wipes,
    average_percent: average,
    best_wipe_id: best,
    worst_wipe_id: worst,
  };
}

const pointAt = ({ points }: WipeRetention, hours: RetentionPoint['hours']) =>
  points.find((point) => point.hours === hours);

const columns = {
  wipe_id: ({ wipe_id }) => wipe_id,
  instance_id: ({ instance_id }) => instance_id,
  instance_name: ({ instance_name }) => instance_name,
  kind: ({ kind }) => kind,
  wiped_at: ({ wiped_at }) => wiped_at,
  cohort_players: ({ cohort }) => cohort,
  players_24h: (wipe) => pointAt(wipe, 24)?.players ?? null,
  percent_24h: (wipe) => pointAt(wipe, 24)?.percent ?? null,
  players_48h: (wipe) => pointAt(wipe, 48)?.players ?? null,
  percent_48h: (wipe) => pointAt(wipe, 48)?.percent ?? null,
  players_72h: (wipe) => pointAt(wipe, 72)?.players ?? null,
  percent_72h: (wipe) => pointAt(wipe, 72)?.percent ?? null,
} satisfies Columns<WipeRetention>;

async function* everyOne<Row>(rows: Row[]): AsyncGenerator<Row> {
  yield* rows;
}

function viewPlayers(players: PlayerAnalytics): Schemas['PlayerAnalytics'] {
  const { from, to, uniquePlayers, newPlayers, days } = players;
  return {
    from,
    to,
    unique_players: uniquePlayers,
    new_players: newPlayers,
    returning_players: uniquePlayers - newPlayers,
    new_percent: percentOf(newPlayers, uniquePlayers),
    days: days.map((day) => ({
      day: day.day,
      unique_players: day.players,
      new_players: day.new_players,
      returning_players: day.players - day.new_players,
    })),
  };
}

function viewLengths(figures: SessionLengths): Schemas['SessionLengthAnalytics'] {
  return {
    from: figures.from,
    to: figures.to,
    sessions: figures.sessions,
    unknown_sessions: figures.unknown,
    average_seconds: figures.averageSeconds,
    lengths: figures.lengths.map(({ from, to, sessions }) => ({
      from_seconds: from,
      to_seconds: to,
      sessions,
      percent: percentOf(sessions, figures.known),
    })),
  };
}

function viewSeries({ instanceId, step, points }: StatsSeries): Schemas['MetricsSeries'] {
  return {
    instance_id: instanceId,
    step,
    points: points.map((point) => ({
      at: point.bucket_at,
      samples: point.samples,
      average_players: point.average_players,
      min_players: point.min_players,
      max_players: point.max_players,
      average_fps: point.average_fps,
      min_fps: point.min_fps,
      average_entities: point.average_entities,
      max_entities: point.max_entities,
    })),
  };
}

function viewSession(session: SessionRow): Schemas['PlayerSession'] {
  return {
    instance_id: session.instance_id,
    steam_id: session.steam_id,
    display_name: session.name,
    started_at: session.started_at,
    ended_at: session.ended_at,
    duration_seconds: session.duration_seconds,
    is_start_known: session.has_join,
    end_reason: session.end_reason,
  };
}
