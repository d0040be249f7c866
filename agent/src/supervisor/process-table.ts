// Reads the process table of a POSIX system: from /proc on Linux, from ps elsewhere.
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setImmediate as nextTick } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hasCode } from '../errors.ts';

export interface ProcessRow {
  pid: number;
  parentPid: number;
  groupId: number;
  isZombie: boolean;
  cpuSeconds: number;
  memoryBytes: number;
  /** Set on Linux only, in clock ticks since boot. */
  startTicks: string;
}

const ticksPerSecond = 100; // USER_HZ of Linux on every architecture that Node supports
const rowsPerTick = 100;
const psTimeoutMs = 3_000;

/** Differs for each boot of the machine. */
export function readLinuxBootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

/** Returns null when there is no such process. */
export function readLinuxRow(pid: number): ProcessRow | null {
  const stat = readProcFile(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name before it may contain any character
  const at = (number: number) => fields[number - 3] ?? '0';
  const residentKb = /^VmRSS:\s+(\d+)/m.exec(readProcFile(`/proc/${pid}/status`) ?? '')?.[1] ?? '0';
  return {
    pid,
    parentPid: Number(at(4)),
    groupId: Number(at(5)),
    isZombie: at(3) === 'Z' || at(3) === 'X',
    cpuSeconds: (Number(at(14)) + Number(at(15))) / ticksPerSecond,
    memoryBytes: Number(residentKb) * 1024,
    startTicks: at(22),
  };
}

export async function readTable(isLinux: boolean): Promise<ProcessRow[]> {
  if (!isLinux) return readPs();
  const rows: ProcessRow[] = [];
  await eachLinuxPid((pid) => {
    const row = readLinuxRow(pid);
    if (row !== null) rows.push(row);
  });
  return rows;
}

/** Returns the pids whose initial environment has this assignment. Skips processes that the agent may not inspect. */
export async function pidsWithVariable(isLinux: boolean, name: string, value: string): Promise<number[]> {
  const assignment = `${name}=${value}`;
  const pids: number[] = [];
  if (isLinux) {
    const bytes = Buffer.from(assignment).toString('latin1'); // the encoding of readProcFile()
    await eachLinuxPid((pid) => {
      if (readProcFile(`/proc/${pid}/environ`)?.split('\0').includes(bytes)) pids.push(pid);
    });
    return pids;
  }
  const output = await ps(['axeww', '-o', 'pid=,command=']);
  for (const line of output.split('\n')) {
    if (line.includes(assignment)) pids.push(Number.parseInt(line, 10));
  }
  return pids;
}

/** Returns a process's start time as ps prints it; null when there is no such process or only a zombie. */
export async function startTimeFromPs(pid: number): Promise<string | null> {
  const output = await ps(['-o', 'stat=,lstart=', '-p', String(pid)]).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 1) return ''; // no such process
    throw error;
  });
  const match = /^\s*(\S+)\s+(.+?)\s*$/m.exec(output);
  if (match === null || match[1]?.startsWith('Z')) return null;
  return match[2] ?? null;
}

async function eachLinuxPid(visit: (pid: number) => void): Promise<void> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  for (const [index, name] of pids.entries()) {
    if (index % rowsPerTick === rowsPerTick - 1) await nextTick();
    visit(Number(name));
  }
}

/** Returns null for a process that has ended or belongs to another user. Rethrows any other error. */
function readProcFile(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].some((code) => hasCode(error, code))) return null;
    throw error;
  }
}

async function readPs(): Promise<ProcessRow[]> {
  const output = await ps(['-A', '-o', 'pid=,ppid=,pgid=,stat=,time=,rss=']);
  const rows: ProcessRow[] = [];
  for (const line of output.split('\n')) {
    const [pid, parentPid, groupId, state, time, residentKb] = line.trim().split(/\s+/);
    if (pid === undefined || state === undefined || time === undefined) continue;
    rows.push({
      pid: Number(pid),
      parentPid: Number(parentPid),
      groupId: Number(groupId),
      isZombie: state.startsWith('Z'),
      cpuSeconds: secondsOf(time),
      memoryBytes: Number(residentKb ?? 0) * 1024,
      startTicks: '',
    });
  }
  return rows;
}

/** Reads `[[days-]hours:]minutes:seconds[.hundredths]`. */
function secondsOf(time: string): number {
  const [clock = '0', days = '0'] = time.split('-').reverse();
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
}

async function ps(args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('ps', args, {
    timeout: psTimeoutMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}
