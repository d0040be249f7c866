// The instance reports within a batch of heartbeats, and the columns that store them.
import { maxLateHours } from '../services/agents/report-limits.ts';
import type { BusSchemas } from '../platform-contract/bus-types.ts';

export interface ReceivedHeartbeat {
  hostId: string;
  beat: BusSchemas['Heartbeat'];
  receivedAt: Date;
  /** By how many milliseconds the host's clock is ahead of the platform's; null if unknown. */
  clockOffsetMs?: number | null;
}

export interface TakenHost {
  id: string;
  license_id: string;
  hostname: string;
}

export interface Report {
  host: TakenHost;
  heartbeat: ReceivedHeartbeat;
  instance: BusSchemas['InstanceReport'];
}

export interface Stored extends Report {
  id: string;
}

/** The columns of a stored report, in the order of `reportTypes` and `reportValues`. */
export const reportColumns =
  'state, uptime_seconds, players, max_players, queued, fps, entities, map, cpu_percent, memory_bytes';
const reportTypes =
  'text[], bigint[], integer[], integer[], integer[], float8[], integer[], text[], float8[], bigint[]'.split(
    ', ',
  );

export function reportValues(reports: readonly Report[]): unknown[][] {
  return [
    reports.map(({ instance }) => instance.state),
    reports.map(({ instance }) => instance.uptime_seconds),
    reports.map(({ instance }) => instance.players ?? null),
    reports.map(({ instance }) => instance.max_players ?? null),
    reports.map(({ instance }) => instance.queued ?? null),
    reports.map(({ instance }) => instance.fps ?? null),
    reports.map(({ instance }) => instance.entities ?? null),
    reports.map(({ instance }) => instance.map ?? null),
    reports.map(({ instance }) => instance.cpu_percent ?? null),
    reports.map(({ instance }) => instance.memory_bytes ?? null),
  ];
}

/** `unnest($1::uuid[], …)` over the given types, followed by those of a report. */
export function unnest(...types: string[]): string {
  return `unnest(${[...types, ...reportTypes].map((type, index) => `$${index + 1}::${type}`).join(', ')})`;
}

/** When the agent sent it, by its own clock, capped at the time of receipt. */
export function sentTime({ beat, receivedAt }: ReceivedHeartbeat): string {
  return Date.parse(beat.sent_at) < receivedAt.getTime() ? beat.sent_at : receivedAt.toISOString();
}

/** The time from which its states hold: when it was sent, but at most `maxLateHours` before receipt. */
export function stateTime(heartbeat: ReceivedHeartbeat): string {
  const earliest = heartbeat.receivedAt.getTime() - maxLateHours * 3_600_000;
  return new Date(Math.max(Date.parse(sentTime(heartbeat)), earliest)).toISOString();
}
