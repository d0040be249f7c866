// Starts the simulation of a sandbox.
import { beginStart, startMs } from './power.ts';
import { takeDueSteps } from './steps.ts';
import { createHost, simulatedInstances, type SimulatedHost } from './state.ts';

/** A host whose first game server is running. */
export function startSimulation(seed: number, nowMs: number): SimulatedHost {
  const host = createHost(seed);
  const [instance] = simulatedInstances;
  const server = host.servers[instance];
  if (server !== undefined) beginStart({ host, server, instance, nowMs: nowMs - startMs }, null);
  takeDueSteps(host, nowMs);
  return host;
}
