// Identifies the process behind a pid, so that a reused pid is never taken for the earlier process.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { errorCode, readIfPresent } from '../process/files.ts';
import { runCommand } from './run-command.ts';

/** A value that no other process ever has under this pid; undefined if no such process runs. */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (!isSignalable(pid)) return undefined;
  const start = process.platform === 'linux' ? await linuxStart(pid) : await portableStart(pid);
  return start === undefined ? undefined : createHash('sha256').update(start).digest('hex').slice(0, 16);
}

export async function isRunning(pid: number): Promise<boolean> {
  return (await processIdentity(pid)) !== undefined;
}

/** The arguments of a process; undefined if it does not run or hides them. */
export async function commandLine(pid: number): Promise<string[] | undefined> {
  if (!(await isRunning(pid))) return undefined;
  if (process.platform === 'linux') {
    const words = await readProc(`/proc/${pid}/cmdline`);
    return words === undefined || words === '' ? undefined : words.split('\0').slice(0, -1);
  }
  if (process.platform === 'win32') return undefined;
  const { code, stdout } = await runCommand('ps', ['-o', 'command=', '-p', String(pid)]);
  return code === 0 ? stdout.trim().split(/\s+/) : undefined;
}

function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

async function linuxStart(pid: number): Promise<string | undefined> {
  const stat = await readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is a command name in parentheses, which may contain any character, parentheses included.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTicks] = [fields[0], fields[19]];
  // Where process 1 does not reap children, a zombie remains signalable indefinitely.
  if (state === undefined || startTicks === undefined || 'ZXx'.includes(state)) return undefined;
  return `${(await readIfPresent('/proc/sys/kernel/random/boot_id')) ?? ''} ${startTicks}`;
}

async function portableStart(pid: number): Promise<string | undefined> {
  if (process.platform === 'win32') return 'running';
  const { code, stdout } = await runCommand('ps', ['-o', 'lstart=', '-p', String(pid)]);
  return code === 0 ? stdout.trim() : undefined;
}

async function readProc(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}
