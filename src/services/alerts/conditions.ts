// Tells from the figures of a host or an instance whether what a rule alerts of is so.
import type { AlertRules } from './rules.ts';
import { isOlder } from './versions.ts';

/** Null where the figures do not tell. */
export type Verdict =
  { holds: true; metadata: Metadata; crashedAt?: number } | { holds: false; end: EndReason } | null;

/** `settled` where it is not so any more, and yet nothing has become well again. */
export type EndReason = 'recovered' | 'settled';

const well: Verdict = { holds: false, end: 'recovered' };
const settled: Verdict = { holds: false, end: 'settled' };

export type Metadata = Record<string, string | number>;

/** What heartbeats said of an instance in five minutes. */
export interface Bucket {
  /** When it begins, in milliseconds since 1970. */
  at: number;
  playersSum: number;
  playersSamples: number;
  fpsSum: number;
  fpsSamples: number;
}

export interface HostFigures {
  isOnline: boolean;
  /** In milliseconds since 1970; null before the first one. */
  lastHeartbeatAt: number | null;
  agentVersion: string;
  diskUsedBytes: number | null;
  diskTotalBytes: number | null;
  /** By how much its clock was ahead in its last heartbeat; null where that was not told. */
  clockOffsetMs: number | null;
  /** The same in the heartbeat before. */
  formerClockOffsetMs: number | null;
}

const minuteMs = 60_000;

/**
 * The last five minutes that are over, which begin at `lastAt`, against the best of the window before them. Minutes
 * without figures are left out: what is not known is no drop. It is recovered from only when players have come back to
 * what was no drop from `playersBefore`, of which the open alert tells.
 */
export function judgePopulation(
  rule: AlertRules['population_drop'],
  buckets: readonly Bucket[],
  lastAt: number,
  playersBefore: number | null = null,
): Verdict {
  const known = buckets.filter(({ playersSamples }) => playersSamples > 0);
  const last = known.find(({ at }) => at === lastAt);
  const earlier = known.filter(({ at }) => at < lastAt && at >= lastAt - rule.window_minutes * minuteMs);
  if (last === undefined || earlier.length === 0) return null;
  const now = meanPlayers(last);
  const before = Math.max(...earlier.map(meanPlayers));
  const dropPercent = ((before - now) * 100) / before;
  if (before < rule.min_players || dropPercent < rule.percent) {
    const isBack = playersBefore === null || now * 100 > playersBefore * (100 - rule.percent);
    return isBack ? well : settled;
  }
  return {
    holds: true,
    metadata: {
      players_before: rounded(before),
      players_now: rounded(now),
      drop_percent: rounded(dropPercent),
      threshold_percent: rule.percent,
      window_minutes: rule.window_minutes,
    },
  };
}

const meanPlayers = ({ playersSum, playersSamples }: Bucket) => playersSum / playersSamples;

/** The mean of the window that ends with the five minutes that begin at `lastAt`, of which something must be known. */
export function judgeFps(rule: AlertRules['low_fps'], buckets: readonly Bucket[], lastAt: number): Verdict {
  const known = buckets.filter(
    ({ at, fpsSamples }) => fpsSamples > 0 && at <= lastAt && at > lastAt - rule.window_minutes * minuteMs,
  );
  if (!known.some(({ at }) => at === lastAt)) return null;
  const samples = known.reduce((sum, { fpsSamples }) => sum + fpsSamples, 0);
  const fps = known.reduce((sum, { fpsSum }) => sum + fpsSum, 0) / samples;
  if (fps >= rule.fps) return well;
  return {
    holds: true,
    metadata: { fps: rounded(fps), threshold_fps: rule.fps, window_minutes: rule.window_minutes },
  };
}

/** A host that was never heard of is not down: it has not come up yet. */
export function judgeHost(
  rule: AlertRules['host_down'],
  { isOnline, lastHeartbeatAt }: HostFigures,
  now: number,
): Verdict {
  if (lastHeartbeatAt === null) return null;
  if (isOnline || now - lastHeartbeatAt < rule.after_minutes * minuteMs) return well;
  return { holds: true, metadata: { last_heartbeat_at: new Date(lastHeartbeatAt).toISOString() } };
}

export function judgeAgent(
  rule: AlertRules['agent_outdated'],
  { isOnline, agentVersion }: HostFigures,
  ownVersion: string,
): Verdict {
  const minimum = rule.minimum_version ?? ownVersion;
  const isOutdated = isOnline ? isOlder(agentVersion, minimum) : null;
  if (isOutdated === null) return null;
  if (!isOutdated) return well;
  return { holds: true, metadata: { agent_version: agentVersion, minimum_version: minimum } };
}

export function judgeDisk(
  rule: AlertRules['disk_full'],
  { isOnline, diskUsedBytes, diskTotalBytes }: HostFigures,
): Verdict {
  if (!isOnline || diskUsedBytes === null || diskTotalBytes === null || diskTotalBytes <= 0) return null;
  const usedPercent = (diskUsedBytes * 100) / diskTotalBytes;
  if (usedPercent < rule.percent) return well;
  return { holds: true, metadata: { used_percent: rounded(usedPercent), threshold_percent: rule.percent } };
}

/** A host that has slept seems to be off until it has asked for the time, so one heartbeat alone tells nothing. */
export function judgeClock(
  rule: AlertRules['clock_wrong'],
  { isOnline, clockOffsetMs, formerClockOffsetMs }: HostFigures,
): Verdict {
  if (!isOnline || clockOffsetMs === null) return null;
  const isOff = (offsetMs: number) => Math.abs(offsetMs) >= rule.seconds * 1000;
  if (!isOff(clockOffsetMs)) return well;
  if (formerClockOffsetMs === null || !isOff(formerClockOffsetMs)) return null;
  return {
    holds: true,
    metadata: { offset_seconds: rounded(clockOffsetMs / 1000), threshold_seconds: rule.seconds },
  };
}

export interface StateFigures {
  state: string;
  stateAt: number | null;
  /** When it crashed, if that was told since the last look. */
  crashedAt: number | null;
}

/**
 * Most crashes are over by the time anybody looks: the agent starts the process again. Only one that runs is well; of
 * one whose host is offline nothing is known, and of one that is being started not yet.
 */
export function judgeState({ state, stateAt, crashedAt }: StateFigures): Verdict {
  const at = crashedAt ?? stateAt;
  if (state === 'crashed' || crashedAt !== null)
    return {
      holds: true,
      metadata: at === null ? {} : { crashed_at: new Date(at).toISOString() },
      ...(crashedAt !== null && { crashedAt }),
    };
  if (state === 'running') return well;
  return state === 'stopped' ? settled : null;
}

const rounded = (figure: number) => Math.round(figure * 10) / 10;
