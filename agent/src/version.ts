// What this agent is: its version and, in an executable, the commit that it was built from.
import manifest from '../package.json' with { type: 'json' };

export const agentVersion = manifest.version;

/** The build writes the commit here; the agent runs from its sources otherwise. */
declare const GANTRY_AGENT_COMMIT: string | undefined;

export function buildOf(): string {
  const commit = typeof GANTRY_AGENT_COMMIT === 'string' ? GANTRY_AGENT_COMMIT : 'from its sources';
  return `gantry-agent ${agentVersion} (${commit}, ${process.platform}-${process.arch}, Node ${process.versions.node})`;
}
