// Ends processes that outlive the first process of a run, so that a new server does not start beside them.
import { pause } from '../backoff.ts';
import type { ProcessHost, ProcessIdentity } from './process-host.ts';

export interface LeftoverOptions {
  host: ProcessHost;
  marker: string;
  leader: ProcessIdentity | null;
  signal: NodeJS.Signals;
  /** Time between the request to end and the kill. */
  patienceMs: number;
  onFound: (pids: number[]) => void;
}

const pollMs = 100;
const forcedWaitMs = 5_000;

/** Returns the pids that survive a kill. */
export async function endLeftovers(options: LeftoverOptions): Promise<number[]> {
  const { host, marker, leader, signal, patienceMs, onFound } = options;
  let pids = await host.survivors(marker, leader);
  if (pids.length === 0) return [];
  onFound(pids);
  for (const pid of pids) {
    const identity = await host.identify(pid);
    if (identity !== null) await host.askToEnd(identity, signal);
  }
  // Uses a monotonic clock, so that changes to the host's clock have no effect.
  const forcedAtMs = performance.now() + patienceMs;
  while (pids.length > 0 && performance.now() < forcedAtMs + forcedWaitMs) {
    if (performance.now() >= forcedAtMs) await host.killAll(pids, leader);
    await pause(pollMs);
    pids = await host.survivors(marker, leader);
  }
  return pids;
}
