// Supervises one server process: starts it, restarts it when it ends unasked, gives up after five failures.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ConfigError } from '../process/environment.ts';
import { findOnPath, runCommand } from './run-command.ts';

const RESTART_DELAYS_MS = [50, 250, 1_000, 3_000, 5_000];
/** A server that ends within this time after becoming ready counts as another failed restart. */
const STABLE_AFTER_MS = 1_000;
const LAST_GRACE_MS = 5_000;

export interface ProcessPlan {
  name: string;
  log: Logger;
  /** Launches the process; called for the first start and for every restart. */
  launch: () => Promise<ChildProcess>;
  /** Resolves when the process serves requests; rejects or never resolves otherwise. */
  untilReady: (child: ChildProcess, signal: AbortSignal) => Promise<void>;
  readyTimeoutMs: number;
  /** The last output of the process, for the message about its end. */
  lastWords: () => Promise<string>;
  stopSignal: NodeJS.Signals;
  stopGraceMs: number;
  /** Sent after the grace period; SIGKILL follows if it does not help. */
  abortSignal: NodeJS.Signals;
  /** Delays before each restart; their number limits consecutive failures. Tests use shorter ones. */
  restartDelaysMs?: number[];
}

export interface SupervisedProcess {
  stop: () => Promise<void>;
  onExit: (listener: (detail: string) => void) => void;
}

interface Running {
  child: ChildProcess;
  ended: Promise<string>;
}

export async function superviseProcess(plan: ProcessPlan): Promise<SupervisedProcess> {
  const stopping = new AbortController();
  const listeners: ((detail: string) => void)[] = [];
  let finalDetail: string | undefined;
  const delays = plan.restartDelaysMs ?? RESTART_DELAYS_MS;
  let current = await startOnce(plan, stopping.signal);
  const supervision = supervise();
  let stopped: Promise<void> | undefined;

  async function supervise(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const readyAt = Date.now();
      const detail = await current.ended;
      if (stopping.signal.aborted) return;
      if (Date.now() - readyAt > STABLE_AFTER_MS) failures = 0;
      plan.log.warn({ detail }, `${plan.name} ended unexpectedly; starting it again`);
      const restarted = await restart(detail, failures);
      if (restarted === undefined) return;
      ({ running: current, failures } = restarted);
      plan.log.info(`${plan.name} runs again`);
    }
  }

  async function restart(detail: string, failures: number) {
    for (let lastDetail = detail; !stopping.signal.aborted; failures++) {
      const delayMs = delays[failures];
      if (delayMs === undefined) {
        giveUp(lastDetail);
        return undefined;
      }
      await pauseUnlessAborted(delayMs, stopping.signal);
      if (stopping.signal.aborted) return undefined;
      try {
        return { running: await startOnce(plan, stopping.signal), failures: failures + 1 };
      } catch (error) {
        lastDetail = error instanceof Error ? error.message : String(error);
        if (!stopping.signal.aborted)
          plan.log.warn({ detail: lastDetail }, `${plan.name} did not start again`);
      }
    }
    return undefined;
  }

  function giveUp(detail: string): void {
    finalDetail = detail;
    plan.log.error({ detail }, `${plan.name} failed ${delays.length} restarts in a row`);
    for (const listener of listeners) listener(detail);
  }

  async function stopAll(): Promise<void> {
    stopping.abort();
    await end(plan, current);
    await supervision;
  }

  return {
    stop: () => (stopped ??= stopAll()),
    onExit: (listener) => {
      if (finalDetail === undefined) listeners.push(listener);
      else listener(finalDetail);
    },
  };
}

async function startOnce(plan: ProcessPlan, stopping: AbortSignal): Promise<Running> {
  const running = watch(await plan.launch(), plan);
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, stopping]);
  try {
    await Promise.race([
      plan.untilReady(running.child, signal),
      running.ended.then((detail) => Promise.reject(new ConfigError(`${plan.name} ${detail}`))),
      rejectAfter(
        plan.readyTimeoutMs,
        signal,
        `${plan.name} was not ready within ${plan.readyTimeoutMs / 1000} s`,
      ),
    ]);
    return running;
  } catch (error) {
    await end(plan, running);
    throw error;
  } finally {
    over.abort();
  }
}

function watch(child: ChildProcess, plan: ProcessPlan): Running {
  // If the kernel does not do it, at least an ordinary exit of this process ends the child.
  const takeAlong = () => void child.kill(plan.stopSignal);
  process.once('exit', takeAlong);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) =>
      resolve(signal ? `was ended by ${signal}` : `ended with code ${code}`),
    );
  }).then(async (how) => {
    process.removeListener('exit', takeAlong);
    const words = await plan.lastWords();
    return words === '' ? how : `${how}: ${words}`;
  });
  return { child, ended };
}

async function end(plan: ProcessPlan, { child, ended }: Running): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    [plan.stopSignal, plan.stopGraceMs],
    [plan.abortSignal, LAST_GRACE_MS],
  ];
  for (const [signal, graceMs] of steps) {
    child.kill(signal);
    if (await settlesWithin(ended, graceMs)) return;
    plan.log.warn(`${plan.name} did not stop on ${signal} within ${graceMs / 1000} s`);
  }
  child.kill('SIGKILL');
  await ended;
}

async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new AbortController();
  const settled = promise.then(() => true);
  const late = pauseUnlessAborted(ms, over.signal).then(() => false);
  return Promise.race([settled, late]).finally(() => over.abort());
}

async function rejectAfter(ms: number, signal: AbortSignal, message: string): Promise<never> {
  await pauseUnlessAborted(ms, signal);
  throw new ConfigError(message);
}

async function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const guards = new Map<NodeJS.Signals, Promise<string[]>>();

/** A command prefix that makes the kernel send the signal when the parent dies. Empty if unsupported. */
export function parentDeathGuard(signal: NodeJS.Signals): Promise<string[]> {
  const guard = guards.get(signal) ?? findGuard(signal);
  guards.set(signal, guard);
  return guard;
}

async function findGuard(signal: NodeJS.Signals): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const setpriv = await findOnPath('setpriv');
  if (setpriv === undefined) return [];
  const guard = [setpriv, '--pdeathsig', signal];
  const probe = await runCommand(setpriv, [...guard.slice(1), 'true']);
  return probe.code === 0 ? guard : [];
}
