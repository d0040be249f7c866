// Determines from the run record and the live processes what happened to an instance while no agent ran.
import { randomUUID } from 'node:crypto';
import type { InstanceState } from '../messages.ts';
import type { ProcessIdentity } from './process-host.ts';
import { Run, cleanUpAfter } from './run.ts';
import type { RunContext } from './run.ts';
import { identityOf } from './run-record.ts';
import type { RunRecord } from './run-record.ts';
import type { InstanceConfig } from '../config.ts';

export type Found =
  | { kind: 'running'; record: RunRecord; run: Run }
  | { kind: 'crashed'; record: RunRecord }
  | { kind: 'idle'; record: RunRecord | null; state: InstanceState; reason?: string; isStartDue: boolean };

export async function recoverRun(context: RunContext): Promise<Found> {
  const { config, host, recordFile, log } = context;
  const record = recordFile.read();
  const leader = await findLeader(context, record);
  const isActive = record !== null && ['starting', 'running', 'stopping'].includes(record.state);
  if (leader !== null && (isActive || record === null)) {
    const adopted = record ?? recordOfUnknown(host.machineBoot());
    return { kind: 'running', record: adopted, run: await Run.adopt(context, adopted, leader) };
  }
  if (leader !== null)
    log.warn({ instance: config.name, pid: leader.pid }, 'a process of an ended run is still there');

  if (record === null) return { kind: 'idle', record, state: 'stopped', isStartDue: config.isAutostarted };
  if (record.machineBoot !== host.machineBoot()) {
    const state = isActive || record.state === 'crashed' ? 'stopped' : record.state;
    const reason = isActive ? 'The machine was restarted.' : 'It was not running.';
    return { kind: 'idle', record, state, reason, isStartDue: config.isAutostarted };
  }
  if (!isActive) {
    resume(context, record);
    return { kind: 'idle', record, state: record.state, isStartDue: record.isRestartDue };
  }
  await cleanUpAfter(context, record).catch((error: unknown) => {
    log.warn({ instance: config.name, err: error }, 'the last output of an ended run is lost');
  });
  if (record.state === 'stopping') {
    return {
      kind: 'idle',
      record,
      state: 'stopped',
      reason: 'It ended while no agent ran.',
      isStartDue: false,
    };
  }
  if (record.pid === null && record.origin === 'command') {
    const reason = 'The agent ended before it had started the process.';
    return { kind: 'idle', record, state: 'stopped', reason, isStartDue: false };
  }
  return { kind: 'crashed', record };
}

async function findLeader(
  { host, marker }: RunContext,
  record: RunRecord | null,
): Promise<ProcessIdentity | null> {
  const recorded = record === null ? null : identityOf(record);
  if (recorded !== null && (await host.identify(recorded.pid))?.mark === recorded.mark) return recorded;
  return host.findLeader(marker);
}

/** Keeps the last console lines of a finished run readable. */
function resume({ console }: RunContext, record: RunRecord): void {
  console.resume(record.boot);
}

function recordOfUnknown(machineBoot: string): RunRecord {
  return {
    boot: randomUUID(),
    machineBoot,
    state: 'running',
    origin: 'automatic',
    attempts: 0,
    startedAtMs: Date.now(),
    pid: null,
    mark: null,
    isRestartDue: false,
    stopDeadlineMs: null,
  };
}

const maxPauseMs = 60_000;
const goodRunMs = 10 * 60_000;

export type RestartDecision =
  { isRestarting: true; pauseMs: number; attempt: number } | { isRestarting: false; why: string };

export function decideRestart(
  policy: InstanceConfig['restart'],
  run: { origin: 'command' | 'automatic'; attempts: number; lastedMs: number; wasReady: boolean },
  holders: ReadonlySet<string>,
): RestartDecision {
  if (holders.size > 0) return { isRestarting: false, why: [...holders].join('; ') };
  if (!policy.isOn) return { isRestarting: false, why: 'automatic restarts are off' };
  if (run.origin === 'command' && !run.wasReady)
    return { isRestarting: false, why: 'it never started properly' };
  const attempts = run.lastedMs >= goodRunMs ? 0 : run.attempts;
  if (attempts >= policy.maxAttempts)
    return { isRestarting: false, why: `all ${policy.maxAttempts} restarts are used up` };
  const pauseMs = Math.min(maxPauseMs, policy.backoffMs * 2 ** Math.min(attempts, 30));
  return { isRestarting: true, pauseMs, attempt: attempts + 1 };
}
