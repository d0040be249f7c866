// What the commands of a simulated host have in common: their work, and how it ends.
import type { BusSchemas } from '../platform-contract/bus-types.ts';
import { typeLine } from './console.ts';
import { fits, write, type FileTree } from './disk.ts';
import { finish, type SimulatedHost, type SimulatedServer } from './state.ts';

type ErrorCode = NonNullable<BusSchemas['CommandResult']['error_code']>;

/** The command, and where and when it is carried out. */
export interface Work {
  host: SimulatedHost;
  server: SimulatedServer;
  instance: string;
  nowMs: number;
  id: string;
  args: Record<string, unknown>;
  /** Content of uploads that the command names, in base64. */
  uploads: ReadonlyMap<string, string>;
}

export const succeed = (
  { host, nowMs, id }: Work,
  detail: string,
  more: Partial<BusSchemas['CommandResult']> = {},
) => finish(host, nowMs, { command_id: id, status: 'succeeded', detail, ...more });

export const fail = ({ host, nowMs, id }: Work, error_code: ErrorCode, detail: string) =>
  finish(host, nowMs, { command_id: id, status: 'failed', error_code, detail });

export const textOf = (args: Record<string, unknown>, name: string): string => {
  const value = args[name];
  return typeof value === 'string' ? value : '';
};

/** Commands that need a running game server. */
export function whileRunning(work: Work, then: () => void): void {
  if (work.server.state === 'running') then();
  else fail(work, 'not_running', 'The instance is not running.');
}

export const filesOf = ({ host, instance }: Work): FileTree => (host.files[instance] ??= {});

/** Writes files to the simulated disk, all or none of them. */
export function store(work: Work, written: ReadonlyMap<string, string>): boolean {
  const files = filesOf(work);
  const hasRoom = fits(work.host, files, written);
  if (hasRoom) write(files, written);
  else fail(work, 'disk_full', 'The simulated disk is full.');
  return hasRoom;
}

export function typeAs(work: Work, line: string, by = textOf(work.args, 'by') || 'platform'): string {
  return typeLine(work.host, work.instance, work.nowMs, { line, by });
}
