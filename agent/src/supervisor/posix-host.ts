// Starts servers on POSIX systems in a session of their own, with a FIFO as input, and finds them again.
import { execFile, spawn } from 'node:child_process';
import { closeSync, constants, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { hasCode } from '../errors.ts';
import type {
  HostedProcess,
  ProcessEnd,
  ProcessHost,
  ProcessIdentity,
  ProcessUsage,
  SpawnRequest,
} from './process-host.ts';
import {
  pidsWithVariable,
  readLinuxBootId,
  readLinuxRow,
  readTable,
  startTimeFromPs,
} from './process-table.ts';

const markerVariable = 'GANTRY_INSTANCE';
const adoptedPollMs = 250;

export class PosixHost implements ProcessHost {
  readonly #isLinux: boolean;
  readonly #machineBoot: string;

  constructor(isLinux: boolean) {
    this.#isLinux = isLinux;
    // On other systems a process's full start time distinguishes boots.
    this.#machineBoot = isLinux ? readLinuxBootId() : '';
  }

  machineBoot(): string {
    return this.#machineBoot;
  }

  async identify(pid: number): Promise<ProcessIdentity | null> {
    if (this.#isLinux) {
      const row = readLinuxRow(pid);
      return row === null || row.isZombie ? null : { pid, mark: `${this.#machineBoot}/${row.startTicks}` };
    }
    const startTime = await startTimeFromPs(pid);
    return startTime === null ? null : { pid, mark: startTime };
  }

  async spawn(request: SpawnRequest, onPid: (pid: number) => void): Promise<HostedProcess> {
    requireDirectory(request.cwd);
    await makeFifo(request.inputFile);
    // Opened for reading and writing, the FIFO never reaches end of file when other processes close it.
    const opened: number[] = [];
    try {
      opened.push(openSync(request.inputFile, constants.O_RDWR));
      opened.push(openSync(request.stdoutFile, 'a', 0o600), openSync(request.stderrFile, 'a', 0o600));
      const child = spawn(request.command, request.args, {
        cwd: request.cwd,
        env: { ...request.env, [markerVariable]: request.marker },
        stdio: [opened[0], opened[1], opened[2]],
        detached: true,
      });
      if (child.pid !== undefined) onPid(child.pid);
      const ended = new Promise<ProcessEnd>((resolve) => {
        child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
      });
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', (error) => reject(new Error(spawnFailure(error, request))));
      });
      child.on('error', () => undefined); // the caller of kill() handles its failure
      child.unref();
      return {
        pid: child.pid ?? 0,
        ended,
        writeLine: (line) => writeToFifo(request.inputFile, line),
        release: () => undefined,
      };
    } finally {
      for (const descriptor of opened) closeSync(descriptor);
    }
  }

  adopt(identity: ProcessIdentity, inputFile: string): HostedProcess {
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<ProcessEnd>((resolve) => {
      const look = async () => {
        // A process that cannot be inspected counts as alive; otherwise a second server could be started.
        const isAlive = await this.#isAlive(identity).catch(() => true);
        if (isAlive) timer = setTimeout(() => void look(), adoptedPollMs);
        else resolve({ exitCode: null, signal: null });
      };
      timer = setTimeout(() => void look(), 0);
    });
    return {
      pid: identity.pid,
      ended,
      writeLine: (line) => writeToFifo(inputFile, line),
      release: () => clearTimeout(timer),
    };
  }

  async findLeader(marker: string): Promise<ProcessIdentity | null> {
    const pids = await pidsWithVariable(this.#isLinux, markerVariable, marker);
    if (pids.length === 0) return null;
    const rows = (await readTable(this.#isLinux)).filter((row) => pids.includes(row.pid) && !row.isZombie);
    const leader =
      rows.find((row) => row.groupId === row.pid) ?? rows.sort((left, right) => left.pid - right.pid)[0];
    return leader === undefined ? null : this.identify(leader.pid);
  }

  async survivors(marker: string, leader: ProcessIdentity | null): Promise<number[]> {
    const own = new Set(await pidsWithVariable(this.#isLinux, markerVariable, marker));
    if (leader !== null && (await this.#isAlive(leader))) own.add(leader.pid);
    const table = (await readTable(this.#isLinux)).filter((row) => !row.isZombie);
    // After its leader has ended, the group id may be reused by another program, unless a process of ours is in the
    // group.
    const isGroupOurs = table.some((row) => own.has(row.pid) && row.groupId === leader?.pid);
    return table
      .filter((row) => own.has(row.pid) || (isGroupOurs && row.groupId === leader?.pid))
      .map((row) => row.pid);
  }

  async askToEnd(process: ProcessIdentity, signal: NodeJS.Signals): Promise<void> {
    if (await this.#isAlive(process)) sendSignal(process.pid, signal);
  }

  async killAll(pids: number[], leader: ProcessIdentity | null): Promise<void> {
    if (leader !== null && (await this.#isAlive(leader))) sendSignal(-leader.pid, 'SIGKILL');
    for (const pid of pids) sendSignal(pid, 'SIGKILL');
  }

  async usage(leaderPids: number[]): Promise<Map<number, ProcessUsage>> {
    const usage = new Map<number, ProcessUsage>();
    if (leaderPids.length === 0) return usage;
    for (const row of await readTable(this.#isLinux)) {
      if (!leaderPids.includes(row.groupId)) continue;
      const sum = usage.get(row.groupId) ?? { cpuSeconds: 0, cpuPercent: null, memoryBytes: 0 };
      sum.cpuSeconds = (sum.cpuSeconds ?? 0) + row.cpuSeconds;
      sum.memoryBytes += row.memoryBytes;
      usage.set(row.groupId, sum);
    }
    return usage;
  }

  async #isAlive(identity: ProcessIdentity): Promise<boolean> {
    return (await this.identify(identity.pid))?.mark === identity.mark;
  }
}

async function makeFifo(path: string): Promise<void> {
  rmSync(path, { force: true });
  await promisify(execFile)('mkfifo', ['-m', '600', path]).catch((error: unknown) => {
    throw new Error(
      `The console's input ${path} cannot be made: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
}

/** Non-blocking: a server that does not read its input must not stall the agent. */
function writeToFifo(path: string, line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new Error(hasCode(error, 'ENXIO') ? 'Nothing reads the console input.' : inWords(error), {
      cause: error,
    });
  }
  try {
    if (writeSync(descriptor, bytes) < bytes.length) throw new Error('Only a part of the line was taken.');
  } catch (error) {
    throw new Error(
      hasCode(error, 'EAGAIN') ? 'The server does not read its console input; it is full.' : inWords(error),
      {
        cause: error,
      },
    );
  } finally {
    closeSync(descriptor);
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

function requireDirectory(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new Error(`The working directory ${path} does not exist.`);
  if (!found.isDirectory()) throw new Error(`The working directory ${path} is not a directory.`);
}

function spawnFailure(error: Error, { command, cwd }: SpawnRequest): string {
  if (hasCode(error, 'ENOENT')) return `The command ${command} was not found (working directory ${cwd}).`;
  if (hasCode(error, 'EACCES')) return `The command ${command} may not be executed.`;
  return `The command ${command} cannot be started: ${error.message}.`;
}

function inWords(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
