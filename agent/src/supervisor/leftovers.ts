// Ends the processes that stay behind when the first process of a run is gone: a second server must not join them.
import { pause } from '../backoff.ts';
import type { ProcessHost, ProcessIdentity } from './process-host.ts';

export interface LeftoverOptions {
  host: ProcessHost;
  marker: string;
  leader: ProcessIdentity | null;
  signal: NodeJS.Signals;
  /** For how long they are only asked. */
  patienceMs: number;
  onFound: (pids: number[]) => void;
}

const pollMs = 100;
const forcedWaitMs = 5_000;

/** Answers the pids that are still there after force. */
export async function endLeftovers(options: LeftoverOptions): Promise<number[]> {
  const { host, marker, leader, signal, patienceMs, onFound } = options;
  let pids = await host.survivors(marker, leader);
  if (pids.length === 0) return [];
  onFound(pids);
  for (const pid of pids) {
    const identity = await host.identify(pid);
    if (identity !== null) await host.askToEnd(identity, signal);
  }
  // By a clock that nobody sets.
  const forcedAtMs = performance.now() + patienceMs;
  while (pids.length > 0 && performance.now() < forcedAtMs + forcedWaitMs) {
    if (performance.now() >= forcedAtMs) await host.killAll(pids, leader);
    await pause(pollMs);
    pids = await host.survivors(marker, leader);
  }
  return pids;
}
