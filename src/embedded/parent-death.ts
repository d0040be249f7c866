// Makes a child process end when this process is killed, where the kernel offers that.
import { findOnPath, runCommand } from './run-command.ts';

/** Words to put before a command: the kernel sends it the signal when its parent dies. Empty where that is not on offer. */
export async function parentDeathGuard(signal: NodeJS.Signals): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const setpriv = await findOnPath('setpriv');
  if (setpriv === undefined) return [];
  const guard = [setpriv, '--pdeathsig', signal];
  const probe = await runCommand(setpriv, [...guard.slice(1), 'true']);
  return probe.code === 0 ? guard : [];
}
