// Makes a child process end when this process is killed, where the kernel supports that.
import { findOnPath, runCommand } from './run-command.ts';

/** A command prefix that makes the kernel send the signal when the parent dies. Empty if unsupported. */
export async function parentDeathGuard(signal: NodeJS.Signals): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const setpriv = await findOnPath('setpriv');
  if (setpriv === undefined) return [];
  const guard = [setpriv, '--pdeathsig', signal];
  const probe = await runCommand(setpriv, [...guard.slice(1), 'true']);
  return probe.code === 0 ? guard : [];
}
