// One run of an instance: launches or adopts its process, reads its output and detects when all of it has ended.
import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import type { Logger } from 'pino';
import type { InstanceConfig } from '../config.ts';
import type { Console } from '../console/console.ts';
import { OutputReader } from '../console/output-reader.ts';
import type { Rcon } from '../rcon/rcon.ts';
import { isMissing } from '../errors.ts';
import { argumentsWith } from './launch-settings.ts';
import type { LaunchSettingsFile } from './launch-settings.ts';
import { endLeftovers } from './leftover-processes.ts';
import type { HostedProcess, ProcessEnd, ProcessHost, ProcessIdentity } from './process-host.ts';
import { graceLeftMs, identityOf } from './run-record.ts';
import type { RunRecord, RunRecordFile } from './run-record.ts';

export interface RunContext {
  config: InstanceConfig;
  host: ProcessHost;
  console: Console;
  /** Null unless configured. */
  rcon: Rcon | null;
  recordFile: RunRecordFile;
  /** Changes to the configured start parameters. */
  launch: LaunchSettingsFile;
  /** Returns the path of a file in the instance's directory. */
  file: (name: string) => string;
  /** Identifies every process of this instance, whichever agent started it. */
  marker: string;
  inheritedEnvironment: Record<string, string>;
  logLimitBytes: number;
  log: Logger;
}

export class Run {
  readonly record: RunRecord;
  /** Resolves once no process of the run is left and its last line has been read. */
  readonly ended: Promise<ProcessEnd>;
  readonly #context: RunContext;
  readonly #process: HostedProcess;
  readonly #reader: OutputReader;
  #isReleased = false;
  /** Age of the run when this agent began to follow it; a monotonic clock counts from there. */
  readonly #followedAgeMs: number;
  readonly #followedAtMs = performance.now();

  private constructor(context: RunContext, record: RunRecord, process: HostedProcess, reader: OutputReader) {
    this.#context = context;
    this.record = record;
    this.#followedAgeMs = ageOf(record);
    this.#process = process;
    this.#reader = reader;
    this.ended = process.ended.then((end) => this.#finish(end));
  }

  /** Writes the record to disk before the process exists. Rejects with a readable error when no process was started. */
  static async launch(
    context: RunContext,
    origin: RunRecord['origin'],
    attempts: number,
    onIntent: (record: RunRecord) => void,
  ): Promise<Run> {
    const { config, host, console, recordFile, file, marker, log } = context;
    const previous = recordFile.read();
    const survivors = await host.survivors(marker, previous === null ? null : identityOf(previous));
    if (survivors.length > 0) {
      throw new Error(
        `Processes of an earlier run are still there (pid ${survivors.join(', ')}); stop the instance first.`,
      );
    }
    for (const name of ['stdout.log', 'stderr.log']) keepPrevious(file(name));
    const record = newRecord(host, origin, attempts);
    recordFile.write(record);
    console.begin(record.boot);
    onIntent(record);
    const process = await host.spawn(
      {
        command: config.command,
        args: argumentsWith(config.args, context.launch.read()),
        cwd: config.cwd,
        env: { ...context.inheritedEnvironment, ...config.env },
        marker,
        stdoutFile: file('stdout.log'),
        stderrFile: file('stderr.log'),
        inputFile: file('stdin.fifo'),
      },
      (pid) => {
        record.pid = pid;
        recordFile.tryWrite(record);
      },
    );
    const identity = await host.identify(process.pid).catch((error: unknown) => {
      log.warn({ instance: config.name, err: error }, 'the start time of the process cannot be read');
      return null;
    });
    record.mark = identity?.mark ?? null; // null when it has ended already
    recordFile.tryWrite(record);
    log.info({ instance: config.name, pid: process.pid }, 'process started');
    return Run.#follow(context, record, process, { stdout: 0, stderr: 0 });
  }

  static async adopt(context: RunContext, record: RunRecord, identity: ProcessIdentity): Promise<Run> {
    const { host, file, log, config } = context;
    record.pid = identity.pid;
    record.mark = identity.mark;
    const offsets = resumeConsole(context, record);
    log.info({ instance: config.name, pid: identity.pid }, 'running process adopted');
    return Run.#follow(context, record, host.adopt(identity, file('stdin.fifo')), offsets);
  }

  static async #follow(
    context: RunContext,
    record: RunRecord,
    process: HostedProcess,
    offsets: { stdout: number; stderr: number },
  ): Promise<Run> {
    const { console, file, logLimitBytes, log } = context;
    const reader = new OutputReader(
      { stdout: file('stdout.log'), stderr: file('stderr.log') },
      offsets,
      console,
      logLimitBytes,
      log,
    );
    await reader
      .start()
      .catch((error: unknown) => log.error({ err: error }, 'the console output cannot be read'));
    return new Run(context, record, process, reader);
  }

  get pid(): number {
    return this.#process.pid;
  }
  get uptimeMs(): number {
    return this.#followedAgeMs + performance.now() - this.#followedAtMs;
  }
  get lastErrorLine(): string | null {
    return this.#reader.lastErrorLine;
  }

  writeLine(line: string): void {
    this.#process.writeLine(line);
  }

  async askToEnd(signal: NodeJS.Signals): Promise<void> {
    const { host } = this.#context;
    const identity = identityOf(this.record) ?? (await host.identify(this.pid));
    if (identity !== null) await host.askToEnd(identity, signal);
  }

  async kill(): Promise<void> {
    const { host, marker } = this.#context;
    const identity = identityOf(this.record);
    await host.killAll(await host.survivors(marker, identity), identity);
  }

  /** Called when the agent shuts down; the process keeps running. */
  async release(): Promise<void> {
    this.#isReleased = true;
    this.#process.release();
    await this.#reader.stop();
  }

  async #finish(end: ProcessEnd): Promise<ProcessEnd> {
    const { log, config } = this.#context;
    if (this.#isReleased) return end;
    try {
      const left = await endRest(this.#context, this.record);
      if (left.length > 0)
        log.error({ instance: config.name, pids: left }, 'processes of the ended run cannot be ended');
      await this.#reader.finish();
    } catch (error) {
      log.error({ instance: config.name, err: error }, 'the end of the run was not clean');
    }
    return end;
  }
}

/** Reads the remaining output of a process that ended while no agent ran, and ends the processes it left behind. */
export async function cleanUpAfter(context: RunContext, record: RunRecord): Promise<void> {
  const { console, file, logLimitBytes, log } = context;
  await endRest(context, record);
  const offsets = resumeConsole(context, record);
  const files = { stdout: file('stdout.log'), stderr: file('stderr.log') };
  const reader = new OutputReader(files, offsets, console, logLimitBytes, log);
  await reader.start();
  await reader.finish();
}

/** Asks the remaining processes of a run to end, then kills them. */
export function endRest(context: RunContext, record: RunRecord | null): Promise<number[]> {
  const { host, marker, config, console, log } = context;
  return endLeftovers({
    host,
    marker,
    leader: record === null ? null : identityOf(record),
    signal: 'signal' in config.stop ? config.stop.signal : 'SIGTERM',
    patienceMs: graceLeftMs(record, config.stopGraceMs),
    onFound: (pids) => {
      log.warn({ instance: config.name, pids }, 'the process left child processes, which are ended');
      console.remark(
        `The process has ended and left others behind (pid ${pids.join(', ')}); they are ended too.`,
      );
    },
  });
}

function resumeConsole({ console }: RunContext, record: RunRecord): { stdout: number; stderr: number } {
  const offsets = console.resume(record.boot);
  if (offsets !== null) return offsets;
  record.boot = randomUUID(); // line numbers of the old id may be in use
  console.begin(record.boot);
  return { stdout: 0, stderr: 0 };
}

/** Based on the host's clock, which may have been changed since. */
export const ageOf = ({ startedAtMs }: RunRecord) => Math.max(0, Date.now() - startedAtMs);

function newRecord(host: ProcessHost, origin: RunRecord['origin'], attempts: number): RunRecord {
  return {
    boot: randomUUID(),
    machineBoot: host.machineBoot(),
    state: 'starting',
    origin,
    attempts,
    startedAtMs: Date.now(),
    pid: null,
    mark: null,
    isRestartDue: false,
    stopDeadlineMs: null,
  };
}

/** Keeps the previous run's output under another name until the next start. */
function keepPrevious(path: string): void {
  try {
    renameSync(path, `${path}.1`);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
