// Takes the steps of a simulated host that are due by the sandbox's clock.
import type { BusSchemas } from '../platform-contract/bus-types.ts';
import { carryOutWaiting } from './commands.ts';
import { beginStart, beginStop } from './power.ts';
import { endSilence } from './disturbances.ts';
import { join, leaveAll, livePlayers, playersEveryMs } from './players.ts';
import { nextUuid } from './random.ts';
import { addBackup, backupOf, reportWipe } from './reports.ts';
import { changeState, finish, plan, print, type SimulatedHost, type Step } from './state.ts';

const wipeFileCount = 9;
const wipeFileBytes = 62_914_560;
const phaseMs = 2_000;
const playersAtStart = 5;

/** Steps that moving the clock stops at; repeated ones are taken once, at the end. */
export const isMilestone = ({ kind }: Step): boolean => kind !== 'players';

/** Takes all steps that are due, in order. Each happens at its own time, so that a moved clock leaves no gap. */
export function takeDueSteps(host: SimulatedHost, nowMs: number): void {
  for (;;) {
    const [step] = host.steps;
    if (step === undefined || step.atMs > nowMs) return;
    host.steps.shift();
    // A repeated step that was passed over long ago continues from now.
    take(host, step, isMilestone(step) ? step.atMs : nowMs);
  }
}

function take(host: SimulatedHost, step: Step, atMs: number): void {
  const { instance } = step;
  if (step.kind === 'sound') {
    endSilence(host, atMs);
    return;
  }
  const server = host.servers[instance];
  if (server === undefined) return;
  switch (step.kind) {
    case 'finish':
      finish(host, atMs, step.result);
      return;
    case 'command':
      carryOutWaiting(host, step.envelope, atMs);
      return;
    case 'players':
      livePlayers(host, instance, atMs);
      return;
    case 'backup':
      addBackup(host, instance, step.record);
      finish(host, atMs, {
        command_id: step.commandId,
        status: 'succeeded',
        detail: 'The backup is complete.',
      });
      return;
    case 'running':
      changeState(host, instance, 'running', atMs);
      print(server, 'Server startup complete', atMs);
      for (let count = 0; count < playersAtStart; count += 1) join(host, instance, atMs);
      plan(host, { atMs: atMs + playersEveryMs, instance, kind: 'players' });
      if (step.commandId !== null)
        finish(host, atMs, { command_id: step.commandId, status: 'succeeded', detail: 'The process runs.' });
      return;
    case 'stopped':
      leaveAll(host, instance, atMs);
      changeState(host, instance, 'stopped', atMs);
      server.startedMs = 0;
      print(server, 'The process has ended with exit code 0.', atMs, 'system');
      if (step.startsAgain) beginStart({ host, server, instance, nowMs: atMs }, step.commandId);
      else if (step.commandId !== null)
        finish(host, atMs, { command_id: step.commandId, status: 'succeeded', detail: 'The process ended.' });
      return;
    case 'wipe':
      takeWipeStep(host, instance, step.status, atMs);
  }
}

/** Each phase reports itself when it begins and plans the next one. */
function takeWipeStep(
  host: SimulatedHost,
  instance: string,
  status: BusSchemas['WipeStatus'],
  atMs: number,
): void {
  const server = host.servers[instance];
  const wipe = server?.wipe;
  if (server === undefined || wipe === null || wipe === undefined) return;
  const then = (next: BusSchemas['WipeStatus']) =>
    plan(host, { atMs: atMs + phaseMs, instance, kind: 'wipe', status: next });
  if (status === 'stopping') {
    wipe.wasRunning = server.state === 'running' || server.state === 'starting';
    reportWipe(host, instance, 'stopping', atMs);
    if (wipe.wasRunning)
      beginStop({ host, server, instance, nowMs: atMs }, { commandId: null, startsAgain: false });
    then(wipe.request.backup ? 'backing_up' : 'deleting');
  } else if (status === 'backing_up') {
    reportWipe(host, instance, 'backing_up', atMs);
    addBackup(host, instance, backupOf({ host, instance, nowMs: atMs }, nextUuid(host), 'wipe'));
    then('deleting');
  } else if (status === 'deleting') {
    server.seed = wipe.request.seed ?? server.seed;
    server.worldSize = wipe.request.world_size ?? server.worldSize;
    reportWipe(host, instance, 'deleting', atMs, {
      file_count: wipeFileCount,
      deleted_bytes: wipeFileCount * wipeFileBytes,
    });
    then(wipe.wasRunning || wipe.request.start ? 'starting' : 'completed');
  } else if (status === 'starting') {
    reportWipe(host, instance, 'starting', atMs);
    beginStart({ host, server, instance, nowMs: atMs }, null);
    plan(host, { atMs: atMs + 2 * phaseMs, instance, kind: 'wipe', status: 'completed' });
  } else {
    reportWipe(host, instance, 'completed', atMs, { detail: `${wipeFileCount} files were deleted.` });
    server.wipe = null;
  }
}
