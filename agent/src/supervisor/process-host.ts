// Interface to the operating system for starting, finding and ending processes.

/** Identifies one process permanently: a pid is reused, but a pid together with its start mark is not. */
export interface ProcessIdentity {
  pid: number;
  mark: string;
}

export interface ProcessEnd {
  /** Null when a signal ended the process, or when the agent did not see it end. */
  exitCode: number | null;
  signal: string | null;
}

export interface SpawnRequest {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Set in the environment, so that an instance's processes can be recognised even when every record is lost. */
  marker: string;
  stdoutFile: string;
  stderrFile: string;
  inputFile: string;
}

export interface HostedProcess {
  readonly pid: number;
  readonly ended: Promise<ProcessEnd>;
  /** Throws a readable error when the process cannot take the line now. */
  writeLine(line: string): void;
  /** Stops watching; the process keeps running. */
  release(): void;
}

export interface ProcessUsage {
  /** CPU time since the processes started; null where only a percentage is known. */
  cpuSeconds: number | null;
  cpuPercent: number | null;
  memoryBytes: number;
}

export interface ProcessHost {
  /** Changes when the machine reboots. */
  machineBoot(): string;
  identify(pid: number): Promise<ProcessIdentity | null>;
  /** Calls back with the pid before anything is awaited. Rejects with a readable error when nothing was started. */
  spawn(request: SpawnRequest, onPid: (pid: number) => void): Promise<HostedProcess>;
  adopt(identity: ProcessIdentity, inputFile: string): HostedProcess;
  /** Returns the first process of the run that was started with this marker. */
  findLeader(marker: string): Promise<ProcessIdentity | null>;
  /** Returns the pids of all remaining processes of the run, including the leader. */
  survivors(marker: string, leader: ProcessIdentity | null): Promise<number[]>;
  askToEnd(process: ProcessIdentity, signal: NodeJS.Signals): Promise<void>;
  /** Kills the processes and the leader's process group. */
  killAll(pids: number[], leader: ProcessIdentity | null): Promise<void>;
  /** Returns the usage of each leader, including its descendants. */
  usage(leaderPids: number[]): Promise<Map<number, ProcessUsage>>;
}
