// Simulates what goes wrong with game servers and their hosts: crashes, and silent agents.
import { leaveAll } from './players.ts';
import { changeState, finish, plan, print, sendHello, type SimulatedHost } from './state.ts';

/** Ends the process of a server unexpectedly. Returns false if none runs. */
export function crash(host: SimulatedHost, instance: string, nowMs: number): boolean {
  const server = host.servers[instance];
  if (server === undefined || (server.state !== 'running' && server.state !== 'starting')) return false;
  const isOfProcess = (step: SimulatedHost['steps'][number]) =>
    step.instance === instance && (step.kind === 'players' || step.kind === 'running');
  for (const step of host.steps.filter(isOfProcess))
    if (step.kind === 'running' && step.commandId !== null)
      finish(host, nowMs, {
        command_id: step.commandId,
        status: 'failed',
        error_code: 'start_failed',
        detail: 'The process crashed.',
      });
  host.steps = host.steps.filter((step) => !isOfProcess(step));
  leaveAll(host, instance, nowMs);
  server.startedMs = 0;
  print(server, 'The process has ended with signal SIGSEGV.', nowMs, 'system');
  changeState(host, instance, 'crashed', nowMs);
  return true;
}

/** The agent sends nothing and responds to nothing until then. A later call replaces an earlier one. */
export function beSilent(host: SimulatedHost, untilMs: number): void {
  host.isSilent = true;
  host.steps = host.steps.filter(({ kind }) => kind !== 'sound');
  plan(host, { atMs: untilMs, instance: '', kind: 'sound' });
}

export function endSilence(host: SimulatedHost, nowMs: number): void {
  host.isSilent = false;
  sendHello(host, nowMs);
}
