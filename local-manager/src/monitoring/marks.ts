// Finds what happened between two samples: starts, stops, restarts and crashes.
import type { components } from '../../../generated/local-manager.d.ts';

export type Mark = components['schemas']['MonitoringMark'];

export interface PodState {
  server: string;
  startedAt: string | null;
  restarts: number;
  ended: { at: string | null; detail: string } | null;
}

/** What a sample saw, as far as it could see it. */
export interface Seen {
  /** When the virtual machine started; null while it is off, undefined if unknown. */
  machineStartedAt: string | null | undefined;
  /** Game servers by their pods; undefined if unknown. */
  pods: Readonly<Record<string, PodState>> | undefined;
}

/** Two readings of an uptime differ by the time that each took. */
const sameStartMs = 90_000;

export function marksBetween(before: Seen, after: Seen, at: string): Mark[] {
  return [...machineMarks(before, after, at), ...podMarks(before.pods, after.pods, at)];
}

/** As `after`; what it could not see is taken from before. */
export function combined(before: Seen, after: Seen): Seen {
  return {
    machineStartedAt: after.machineStartedAt === undefined ? before.machineStartedAt : after.machineStartedAt,
    // The pods of a machine that is off are gone, whether or not that could be seen.
    pods: after.machineStartedAt === null ? {} : (after.pods ?? before.pods),
  };
}

function machineMarks(before: Seen, after: Seen, at: string): Mark[] {
  const [was, is] = [before.machineStartedAt, after.machineStartedAt];
  if (was === undefined || is === undefined || was === is) return [];
  if (is === null) return [{ at, kind: 'machineStopped', server: null, detail: null }];
  if (was !== null && Math.abs(Date.parse(is) - Date.parse(was)) < sameStartMs) return [];
  return [{ at: is, kind: 'machineStarted', server: null, detail: null }];
}

function podMarks(before: Seen['pods'], after: Seen['pods'], at: string): Mark[] {
  if (before === undefined || after === undefined) return [];
  const marks: Mark[] = [];
  const started = new Set<string>();
  for (const [name, pod] of Object.entries(after)) {
    const was = before[name];
    const mark = (kind: Mark['kind'], time: string | null, detail: string | null) =>
      marks.push({ at: time ?? at, kind, server: pod.server, detail });
    if (was === undefined) {
      const isMoved = Object.values(before).some(({ server }) => server === pod.server);
      mark(isMoved ? 'serverRestarted' : 'serverStarted', pod.startedAt, null);
      started.add(pod.server);
    } else if (was.startedAt !== null && was.startedAt !== pod.startedAt)
      mark('serverRestarted', pod.startedAt, null);
    else if (pod.restarts > was.restarts)
      mark('serverCrashed', pod.ended?.at ?? null, pod.ended?.detail || null);
  }
  for (const [name, { server }] of Object.entries(before))
    if (after[name] === undefined && !started.has(server))
      marks.push({ at, kind: 'serverStopped', server, detail: null });
  return marks;
}
