// Simulated processes of game servers: they start and stop in a few seconds.
import { changeState, finish, plan, print, type SimulatedHost, type SimulatedServer } from './state.ts';

const stopMs = 1_500;
export const startMs = 2_500;

interface Place {
  host: SimulatedHost;
  server: SimulatedServer;
  instance: string;
  nowMs: number;
}

export function beginStart({ host, server, instance, nowMs }: Place, commandId: string | null): void {
  changeState(host, instance, 'starting', nowMs);
  server.startedMs = nowMs;
  print(server, `Generating procedural map of size ${server.worldSize} with seed ${server.seed}`, nowMs);
  plan(host, { atMs: nowMs + startMs, instance, kind: 'running', commandId });
}

export function beginStop(
  { host, server, instance, nowMs }: Place,
  { commandId, startsAgain }: { commandId: string | null; startsAgain: boolean },
): void {
  changeState(host, instance, 'stopping', nowMs);
  print(server, 'Saving and shutting down (quit)', nowMs);
  // What was planned for the running process does not happen any more.
  for (const step of host.steps)
    if (step.instance === instance && step.kind === 'running' && step.commandId !== null)
      finish(host, nowMs, {
        command_id: step.commandId,
        status: 'failed',
        error_code: 'interrupted',
        detail: 'The process was stopped while it started.',
      });
  host.steps = host.steps.filter(
    (step) => step.instance !== instance || (step.kind !== 'players' && step.kind !== 'running'),
  );
  plan(host, { atMs: nowMs + stopMs, instance, kind: 'stopped', commandId, startsAgain });
}
