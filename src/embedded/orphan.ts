// Stops a server that outlived the Gantry process that started it, after verifying that it is ours.
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ConfigError } from '../process/environment.ts';
import { commandLine, isRunning } from './processes.ts';

export interface Orphan {
  name: string;
  pid: number;
  isOurs: (words: string[]) => boolean;
  /** Signals in the order to try them, each with its grace period. */
  signals: { signal: NodeJS.Signals; graceMs: number }[];
  log: Logger;
}

export async function stopOrphan({ name, pid, isOurs, signals, log }: Orphan): Promise<void> {
  if (!Number.isInteger(pid) || pid <= 1) return;
  const words = await commandLine(pid);
  if (words === undefined || !isOurs(words)) return;
  log.warn({ pid }, `Stopping a ${name} left over from a Gantry process that is gone`);
  for (const { signal, graceMs } of signals) {
    if (!(await isRunning(pid))) return;
    process.kill(pid, signal);
    if (await endsWithin(pid, graceMs)) return;
  }
  throw new ConfigError(`The ${name} process ${pid} of an earlier run cannot be stopped`);
}

async function endsWithin(pid: number, graceMs: number): Promise<boolean> {
  const deadline = Date.now() + graceMs;
  while (await isRunning(pid)) {
    if (Date.now() > deadline) return false;
    await pause(20);
  }
  return true;
}
