// Starts the simulation of a sandbox.
import { beginStart } from './power.ts';
import { createHost, simulatedInstances, type SimulatedHost } from './state.ts';

/** A host whose first game server is starting. */
export function startSimulation(seed: number, nowMs: number): SimulatedHost {
  const host = createHost(seed, nowMs);
  const [instance] = simulatedInstances;
  const server = host.servers[instance];
  if (server !== undefined) beginStart({ host, server, instance, nowMs }, null);
  return host;
}
