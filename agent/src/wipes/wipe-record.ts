// The progress of an instance's wipe on disk, from which a restarted agent continues, and the errors of its steps.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { replaceDurably, syncDirectory } from '../state-files/durable-file.ts';
import type { Messages, Schemas } from '../messages.ts';
import { ownSchemas } from '../messages.ts';
import type { LaunchSettings } from '../supervisor/launch-settings.ts';
import { isMissing } from '../errors.ts';
import { FileError } from '../instance-files/file-error.ts';
import { messageOf } from '../supervisor/outcome.ts';

export type WipeStatus = Schemas['WipeStatus'];
export type WipeRequest = Schemas['WipeRequest'];
export type WipeErrorCode = NonNullable<Schemas['WipeReport']['error_code']>;

export interface WipeFailure {
  code: WipeErrorCode;
  detail: string;
}

export interface WipeRecord {
  id: string;
  request: WipeRequest;
  status: WipeStatus;
  /** Sequence number of the report of this status. */
  seq: number;
  /** In platform time. */
  dueAtMs: number;
  /** Seconds before the wipe of the last announcement; null before the first one. */
  announcedSeconds: number | null;
  /** When the server was asked to stop; null before that. */
  begunAtMs: number | null;
  wasRunning: boolean;
  /** Save time that the server reported before the wipe; null when it did not reply. */
  saveBefore: string | null;
  hasBackup: boolean;
  /** Start parameters to restore if the wipe is undone. */
  launchBefore: LaunchSettings;
  /** Names of the files to delete. Recorded before the first file is moved. */
  names: string[];
  deletedBytes: number;
  /** Why the wipe failed. A wipe with a failure that is not over yet is being undone. */
  failure: WipeFailure | null;
  /** Files and start parameters are restored; only the server may still have to be started. */
  isPutBack: boolean;
  detail: string | null;
  /** Nothing is left to clean up or report. */
  isTidy: boolean;
}

const over: readonly WipeStatus[] = ['completed', 'failed', 'rolled_back', 'cancelled'];

export const isOver = ({ status }: Pick<WipeRecord, 'status'>) => over.includes(status);

/** A wipe that is more than 10 minutes late expires. */
const maxLateMs = 10 * 60_000;

/** Returns why a wipe that has not begun has expired, or null while it may still begin. */
export function expiryOf({ dueAtMs }: Pick<WipeRecord, 'dueAtMs'>, nowMs: number): WipeFailure | null {
  const lateMs = nowMs - dueAtMs;
  if (lateMs <= maxLateMs) return null;
  const minutes = Math.floor(lateMs / 60_000);
  const detail = `The agent was offline when the wipe was due, and returned ${minutes} minutes later: too late to begin.`;
  return { code: 'expired', detail };
}

export function deletedText({ names }: Pick<WipeRecord, 'names'>): string {
  return names.length === 1 ? '1 file was deleted.' : `${names.length} files were deleted.`;
}

export function newRecord(
  id: string,
  request: WipeRequest,
  launchBefore: LaunchSettings,
  nowMs: number,
): WipeRecord {
  return {
    id,
    request,
    status: 'planned',
    seq: 1,
    dueAtMs: nowMs + request.countdown_seconds * 1_000,
    announcedSeconds: null,
    begunAtMs: null,
    wasRunning: false,
    saveBefore: null,
    hasBackup: false,
    launchBefore,
    names: [],
    deletedBytes: 0,
    failure: null,
    isPutBack: false,
    detail: null,
    isTidy: false,
  };
}

const nullableNumber = { type: ['number', 'null'] };
const nullableText = { type: ['string', 'null'] };
const properties = {
  id: { type: 'string', pattern: '^[0-9a-fA-F-]{36}$' },
  request: { type: 'object' },
  status: { type: 'string' },
  seq: { type: 'integer' },
  dueAtMs: { type: 'number' },
  announcedSeconds: nullableNumber,
  begunAtMs: nullableNumber,
  wasRunning: { type: 'boolean' },
  saveBefore: nullableText,
  hasBackup: { type: 'boolean' },
  launchBefore: { type: 'object' },
  names: { type: 'array', items: { type: 'string' } },
  deletedBytes: { type: 'number' },
  failure: { type: ['object', 'null'] },
  isPutBack: { type: 'boolean' },
  detail: nullableText,
  isTidy: { type: 'boolean' },
};

const isRecord = ownSchemas().compile<WipeRecord>({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

export class WipeRecordFile {
  readonly #path: string;
  readonly #messages: Messages;
  readonly #log: Logger;

  constructor(path: string, messages: Messages, log: Logger) {
    this.#path = path;
    this.#messages = messages;
    this.#log = log;
  }

  /** Returns the last wipe of the instance, over or not; null when there was none. */
  read(): WipeRecord | null {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path, 'utf8'));
      if (isRecord(value) && this.#messages.check('WipeRequest', value.request).isValid) return value;
      this.#log.error({ file: this.#path }, 'the record of a wipe is invalid');
    } catch (error) {
      if (!isMissing(error))
        this.#log.error({ file: this.#path, err: error }, 'the record of a wipe cannot be read');
    }
    return null;
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
    syncDirectory(dirname(this.#path));
  }

  write(record: WipeRecord): Promise<void> {
    return replaceDurably(this.#path, JSON.stringify(record));
  }
}

export class WipeError extends Error {
  override readonly name = 'WipeError';
  readonly code: WipeErrorCode;

  constructor(code: WipeErrorCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
  }
}

export function failureOf(thrown: unknown): WipeFailure {
  if (thrown instanceof WipeError) return { code: thrown.code, detail: thrown.message };
  return { code: thrown instanceof FileError ? 'files_refused' : 'internal', detail: messageOf(thrown) };
}
