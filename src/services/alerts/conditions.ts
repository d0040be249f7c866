// Evaluates whether the figures of a host or an instance meet the condition of an alert rule.
import type { AlertRules } from './rules.ts';
import { isOlder } from '../../../shared/versions.ts';

/** Null if the figures do not decide it. */
export type Verdict =
  { holds: true; metadata: Metadata; crashedAt?: number } | { holds: false; end: EndReason } | null;

/** `settled`: the condition no longer holds, but nothing has recovered. */
export type EndReason = 'recovered' | 'settled';

const well: Verdict = { holds: false, end: 'recovered' };
const settled: Verdict = { holds: false, end: 'settled' };

export type Metadata = Record<string, string | number>;

/** Heartbeat figures of an instance over five minutes. */
export interface Bucket {
  /** Start of the bucket, in milliseconds since 1970. */
  at: number;
  playersSum: number;
  playersSamples: number;
  fpsSum: number;
  fpsSamples: number;
}

export interface HostFigures {
  isOnline: boolean;
  /** In milliseconds since 1970; null before the first heartbeat. */
  lastHeartbeatAt: number | null;
  agentVersion: string;
  diskUsedBytes: number | null;
  diskTotalBytes: number | null;
  /** How far the host's clock was ahead in its last heartbeat; null if the heartbeat did not report it. */
  clockOffsetMs: number | null;
  /** The clock offset in the heartbeat before the last one. */
  formerClockOffsetMs: number | null;
}

const minuteMs = 60_000;

/**
 * Compares the last completed five minutes, which begin at `lastAt`, with the best bucket of the window before them.
 * Buckets without figures are skipped: missing data is no drop. An open alert recovers only when the player count is no
 * longer a drop from `playersBefore`, the count that the alert reports.
 */
export function evaluatePopulation(
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

/** Averages the window that ends with the five minutes from `lastAt`; null if those five minutes have no figures. */
export function evaluateFps(
  rule: AlertRules['low_fps'],
  buckets: readonly Bucket[],
  lastAt: number,
): Verdict {
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

/** A host that has never sent a heartbeat is not down: it has not started yet. */
export function evaluateHost(
  rule: AlertRules['host_down'],
  { isOnline, lastHeartbeatAt }: HostFigures,
  now: number,
): Verdict {
  if (lastHeartbeatAt === null) return null;
  if (isOnline || now - lastHeartbeatAt < rule.after_minutes * minuteMs) return well;
  return { holds: true, metadata: { last_heartbeat_at: new Date(lastHeartbeatAt).toISOString() } };
}

export function evaluateAgent(
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

export function evaluateDisk(
  rule: AlertRules['disk_full'],
  { isOnline, diskUsedBytes, diskTotalBytes }: HostFigures,
): Verdict {
  if (!isOnline || diskUsedBytes === null || diskTotalBytes === null || diskTotalBytes <= 0) return null;
  const usedPercent = (diskUsedBytes * 100) / diskTotalBytes;
  if (usedPercent < rule.percent) return well;
  return { holds: true, metadata: { used_percent: rounded(usedPercent), threshold_percent: rule.percent } };
}

/** After a sleep, a host's clock seems wrong until it has fetched the time, so one heartbeat decides nothing. */
export function evaluateClock(
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
  /** Time of the crash, if one was reported since the last evaluation. */
  crashedAt: number | null;
}

/**
 * Most crashes are over at evaluation time, because the agent restarts the process. Only a running instance has
 * recovered. Nothing is decided while the host is offline or the instance is starting.
 */
export function evaluateState({ state, stateAt, crashedAt }: StateFigures): Verdict {
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
