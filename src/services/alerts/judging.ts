// Tells from the figures of a host or an instance whether what a rule alerts of is so.
import type { AlertRules } from './rules.ts';
import { isOlder } from './versions.ts';

/** Null where the figures do not tell. */
export type Verdict = { holds: true; metadata: Metadata } | { holds: false } | null;

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
}

const minuteMs = 60_000;

/**
 * The last five minutes that are over, which begin at `lastAt`, against the best of the window before them. Minutes
 * without figures are left out: what is not known is no drop.
 */
export function judgePopulation(
  rule: AlertRules['population_drop'],
  buckets: readonly Bucket[],
  lastAt: number,
): Verdict {
  const known = buckets.filter(({ playersSamples }) => playersSamples > 0);
  const last = known.find(({ at }) => at === lastAt);
  const earlier = known.filter(({ at }) => at < lastAt && at >= lastAt - rule.window_minutes * minuteMs);
  if (last === undefined || earlier.length === 0) return null;
  const now = meanPlayers(last);
  const before = Math.max(...earlier.map(meanPlayers));
  if (before < rule.min_players) return { holds: false };
  const dropPercent = ((before - now) * 100) / before;
  if (dropPercent < rule.percent) return { holds: false };
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
  if (fps >= rule.fps) return { holds: false };
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
  if (isOnline || now - lastHeartbeatAt < rule.after_minutes * minuteMs) return { holds: false };
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
  if (!isOutdated) return { holds: false };
  return { holds: true, metadata: { agent_version: agentVersion, minimum_version: minimum } };
}

export function judgeDisk(
  rule: AlertRules['disk_full'],
  { isOnline, diskUsedBytes, diskTotalBytes }: HostFigures,
): Verdict {
  if (!isOnline || diskUsedBytes === null || diskTotalBytes === null || diskTotalBytes <= 0) return null;
  const usedPercent = (diskUsedBytes * 100) / diskTotalBytes;
  if (usedPercent < rule.percent) return { holds: false };
  return { holds: true, metadata: { used_percent: rounded(usedPercent), threshold_percent: rule.percent } };
}

/** Of an instance whose host is offline nothing is known. */
export function judgeState(state: string, stateAt: number | null): Verdict {
  if (state === 'offline') return null;
  if (state !== 'crashed') return { holds: false };
  return { holds: true, metadata: stateAt === null ? {} : { crashed_at: new Date(stateAt).toISOString() } };
}

const rounded = (figure: number) => Math.round(figure * 10) / 10;
