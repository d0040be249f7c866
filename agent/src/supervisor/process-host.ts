// The few things that differ between operating systems when processes are started, found again and ended.

/** Names one process for good: a pid is used again, a pid with the mark of its start is not. */
export interface ProcessIdentity {
  pid: number;
  mark: string;
}

export interface ProcessEnd {
  /** Null when a signal ended it, or when nobody was there to see. */
  exitCode: number | null;
  signal: string | null;
}

export interface SpawnRequest {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Put into the environment: by it the processes of an instance are recognised when every record fails. */
  marker: string;
  stdoutFile: string;
  stderrFile: string;
  inputFile: string;
}

export interface HostedProcess {
  readonly pid: number;
  readonly ended: Promise<ProcessEnd>;
  /** Throws in words when the process does not take the line now. */
  writeLine(line: string): void;
  /** Stops watching; the process goes on. */
  release(): void;
}

export interface ProcessUsage {
  /** CPU time since the start of the processes, or null where only a percentage is known. */
  cpuSeconds: number | null;
  cpuPercent: number | null;
  memoryBytes: number;
}

export interface ProcessHost {
  /** Changes when the machine starts anew. */
  machineBoot(): string;
  identify(pid: number): Promise<ProcessIdentity | null>;
  /** Calls back with the pid before anything is awaited. Rejects in words when nothing was started. */
  spawn(request: SpawnRequest, onPid: (pid: number) => void): Promise<HostedProcess>;
  adopt(identity: ProcessIdentity, inputFile: string): HostedProcess;
  /** The first process of the run that was started with this marker. */
  findLeader(marker: string): Promise<ProcessIdentity | null>;
  /** Every process of the run that is still there, the leader included. */
  survivors(marker: string, leader: ProcessIdentity | null): Promise<number[]>;
  askToEnd(process: ProcessIdentity, signal: NodeJS.Signals): Promise<void>;
  /** Ends them by force, and with the leader the rest of its group. */
  killAll(pids: number[], leader: ProcessIdentity | null): Promise<void>;
  /** Of each leader with the processes below it. */
  usage(leaderPids: number[]): Promise<Map<number, ProcessUsage>>;
}
