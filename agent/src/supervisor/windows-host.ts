// Starts servers on Windows with a pipe as input, and ends them with taskkill; the pipe is lost on agent restart.
import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import si from 'systeminformation';
import type {
  HostedProcess,
  ProcessEnd,
  ProcessHost,
  ProcessIdentity,
  ProcessUsage,
  SpawnRequest,
} from './process-host.ts';

const run = promisify(execFile);
const toolTimeoutMs = 10_000;
const adoptedPollMs = 2_000;

export class WindowsHost implements ProcessHost {
  machineBoot(): string {
    return ''; // a process's full start time distinguishes boots
  }

  async identify(pid: number): Promise<ProcessIdentity | null> {
    const script = `$p = Get-Process -Id ${pid} -ErrorAction SilentlyContinue; if ($p) { $p.StartTime.ToFileTimeUtc() } else { 'none' }`;
    const { stdout } = await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], {
      timeout: toolTimeoutMs,
      windowsHide: true,
    });
    const mark = stdout.trim();
    if (mark === 'none') return null;
    if (!/^\d+$/.test(mark)) throw new Error(`The start time of process ${pid} cannot be read.`);
    return { pid, mark };
  }

  async spawn(request: SpawnRequest, onPid: (pid: number) => void): Promise<HostedProcess> {
    if (statSync(request.cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new Error(`The working directory ${request.cwd} does not exist.`);
    }
    const stdout = openSync(request.stdoutFile, 'a');
    const stderr = openSync(request.stderrFile, 'a');
    try {
      // Only a detached process stays out of the job object that ends with its parent.
      const child = spawn(request.command, request.args, {
        cwd: request.cwd,
        env: request.env,
        stdio: ['pipe', stdout, stderr],
        detached: true,
        windowsHide: true,
      });
      if (child.pid !== undefined) onPid(child.pid);
      const ended = new Promise<ProcessEnd>((resolve) => {
        child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
      });
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', (error) =>
          reject(new Error(`The command ${request.command} cannot be started: ${error.message}.`)),
        );
      });
      const { stdin } = child;
      child.on('error', () => undefined); // the caller of kill() handles its failure
      stdin?.on('error', () => undefined); // the next write reports it
      child.unref();
      return {
        pid: child.pid ?? 0,
        ended,
        writeLine: (line) => {
          if (stdin === null || !stdin.writable) throw new Error('The console input is closed.');
          if (stdin.writableNeedDrain)
            throw new Error('The server does not read its console input; it is full.');
          stdin.write(`${line}\n`);
        },
        release: () => undefined,
      };
    } finally {
      closeSync(stdout);
      closeSync(stderr);
    }
  }

  adopt(identity: ProcessIdentity): HostedProcess {
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<ProcessEnd>((resolve) => {
      const look = async () => {
        // A process that cannot be inspected counts as alive; otherwise a second server could be started.
        const found = await this.identify(identity.pid).catch(() => identity);
        if (found?.mark === identity.mark) timer = setTimeout(() => void look(), adoptedPollMs);
        else resolve({ exitCode: null, signal: null });
      };
      timer = setTimeout(() => void look(), adoptedPollMs);
    });
    return {
      pid: identity.pid,
      ended,
      writeLine: () => {
        throw new Error(
          'The agent was restarted since this server started; on Windows its console input is lost until it is restarted.',
        );
      },
      release: () => clearTimeout(timer),
    };
  }

  /** Windows does not expose the environment of a running process. */
  async findLeader(): Promise<ProcessIdentity | null> {
    return null;
  }

  async survivors(_marker: string, leader: ProcessIdentity | null): Promise<number[]> {
    if (leader === null) return [];
    const found = await this.identify(leader.pid);
    return found?.mark === leader.mark ? [leader.pid] : [];
  }

  async askToEnd({ pid }: ProcessIdentity, signal: NodeJS.Signals): Promise<void> {
    await taskkill(signal === 'SIGKILL' ? ['/PID', String(pid), '/T', '/F'] : ['/PID', String(pid), '/T']);
  }

  async killAll(pids: number[]): Promise<void> {
    for (const pid of pids) await taskkill(['/PID', String(pid), '/T', '/F']);
  }

  async usage(leaderPids: number[]): Promise<Map<number, ProcessUsage>> {
    const usage = new Map<number, ProcessUsage>();
    if (leaderPids.length === 0) return usage;
    const { list } = await si.processes();
    for (const row of list) {
      if (!leaderPids.includes(row.pid)) continue;
      usage.set(row.pid, { cpuSeconds: null, cpuPercent: row.cpu, memoryBytes: row.memRss * 1024 });
    }
    return usage;
  }
}

/** Code 128 means the process is already gone. Code 1 means a windowless console program refused the polite request. */
async function taskkill(args: string[]): Promise<void> {
  await run('taskkill.exe', args, { timeout: toolTimeoutMs, windowsHide: true }).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 128 && code !== 1) throw error;
  });
}
