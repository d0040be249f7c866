// Ends the processes that stay behind when the first process of a run is gone: a second server must not join them.
import { pause } from '../backoff.ts';
import type { ProcessHost, ProcessIdentity } from './process-host.ts';

export interface LeftoverOptions {
  host: ProcessHost;
  marker: string;
  leader: ProcessIdentity | null;
  signal: NodeJS.Signals;
  /** Until when they are only asked. */
  deadlineMs: number;
  onFound: (pids: number[]) => void;
}

const pollMs = 100;
const forcedWaitMs = 5_000;

/** Answers the pids that are still there after force. */
export async function endLeftovers(options: LeftoverOptions): Promise<number[]> {
  const { host, marker, leader, signal, deadlineMs, onFound } = options;
  let pids = await host.survivors(marker, leader);
  if (pids.length === 0) return [];
  onFound(pids);
  for (const pid of pids) {
    const identity = await host.identify(pid);
    if (identity !== null) await host.askToEnd(identity, signal);
  }
  const giveUpMs = Math.max(deadlineMs, Date.now()) + forcedWaitMs;
  while (pids.length > 0 && Date.now() < giveUpMs) {
    if (Date.now() >= deadlineMs) await host.killAll(pids, leader);
    await pause(pollMs);
    pids = await host.survivors(marker, leader);
  }
  return pids;
}
