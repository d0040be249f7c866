// Remembers on disk which run of an instance is under way, so that a restarted agent finds its process again.
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { isMissing } from '../system-error.ts';
import { replaceQuickly } from '../files/durable-file.ts';
import type { InstanceState } from '../messages.ts';
import { ownSchemas } from '../own-schemas.ts';
import type { ProcessIdentity } from './process-host.ts';

export interface RunRecord {
  /** Numbers of console lines belong to this. */
  boot: string;
  machineBoot: string;
  state: InstanceState;
  origin: 'command' | 'automatic';
  /** Automatic restarts since the last start by hand or long good run. */
  attempts: number;
  startedAtMs: number;
  /** Null before the process was there to be named. */
  pid: number | null;
  mark: string | null;
  /** It crashed and is to be started again. */
  isRestartDue: boolean;
  /** Until when a stop under way waits before it uses force. */
  stopDeadlineMs: number | null;
}

/** For how long a stop still waits before it uses force: never longer than its grace, however the host's clock is set. */
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
      this.#log.warn({ file: this.#path }, 'the record of the last run is not understood');
    } catch (error) {
      if (!isMissing(error))
        this.#log.warn({ file: this.#path, err: error }, 'the record of the last run cannot be read');
    }
    return null;
  }

  write(record: RunRecord): void {
    replaceQuickly(this.#path, JSON.stringify(record));
  }

  /** For changes without which a later agent still finds the process. */
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
