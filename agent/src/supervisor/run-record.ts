// Stores an instance's current run on disk, so that a restarted agent finds its process again.
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { isMissing } from '../errors.ts';
import { replaceQuickly } from '../state-files/durable-file.ts';
import type { InstanceState } from '../messages.ts';
import { ownSchemas } from '../messages.ts';
import type { ProcessIdentity } from './process-host.ts';

export interface RunRecord {
  /** Console line numbers are relative to this id. */
  boot: string;
  machineBoot: string;
  state: InstanceState;
  origin: 'command' | 'automatic';
  /** Automatic restarts since the last manual start or long successful run. */
  attempts: number;
  startedAtMs: number;
  /** Null until the process has been spawned. */
  pid: number | null;
  mark: string | null;
  /** The instance crashed and is scheduled to restart. */
  isRestartDue: boolean;
  /** When a running stop uses force. */
  stopDeadlineMs: number | null;
}

/** Returns how long a stop waits before it uses force: at most the grace period, even if the host's clock was set. */
export function graceLeftMs(record: Pick<RunRecord, 'stopDeadlineMs'> | null, graceMs: number): number {
  const deadlineMs = record?.stopDeadlineMs ?? null;
  return deadlineMs === null ? graceMs : Math.max(0, Math.min(deadlineMs - Date.now(), graceMs));
}

const schema = {
  type: 'object',
  required: [
    'boot',
    'machineBoot',
    'state',
    'origin',
    'attempts',
    'startedAtMs',
    'pid',
    'mark',
    'isRestartDue',
    'stopDeadlineMs',
  ],
  properties: {
    boot: { type: 'string' },
    machineBoot: { type: 'string' },
    state: { enum: ['stopped', 'starting', 'running', 'stopping', 'crashed'] },
    origin: { enum: ['command', 'automatic'] },
    attempts: { type: 'integer' },
    startedAtMs: { type: 'number' },
    pid: { type: 'integer', nullable: true },
    mark: { type: 'string', nullable: true },
    isRestartDue: { type: 'boolean' },
    stopDeadlineMs: { type: 'number', nullable: true },
  },
};

const isRecord = ownSchemas().compile<RunRecord>(schema);

export class RunRecordFile {
  readonly #path: string;
  readonly #log: Logger;

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
  }

  read(): RunRecord | null {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path, 'utf8'));
      if (isRecord(value)) return value;
      this.#log.warn({ file: this.#path }, 'the record of the last run is invalid');
    } catch (error) {
      if (!isMissing(error))
        this.#log.warn({ file: this.#path, err: error }, 'the record of the last run cannot be read');
    }
    return null;
  }

  write(record: RunRecord): void {
    replaceQuickly(this.#path, JSON.stringify(record));
  }

  /** For changes that a later agent can do without when it looks for the process. */
  tryWrite(record: RunRecord): void {
    try {
      this.write(record);
    } catch (error) {
      this.#log.error({ file: this.#path, err: error }, 'the record of this run cannot be written');
    }
  }
}

export function identityOf(record: RunRecord): ProcessIdentity | null {
  return record.pid === null || record.mark === null ? null : { pid: record.pid, mark: record.mark };
}
