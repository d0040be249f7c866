// Keeps on disk how far the wipe of an instance has come, so that the next agent goes on from there.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { replaceDurably, syncDirectory } from '../files/durable-file.ts';
import type { Messages, Schemas } from '../messages.ts';
import { ownSchemas } from '../own-schemas.ts';
import type { LaunchSettings } from '../supervisor/launch-settings.ts';
import { isMissing } from '../system-error.ts';

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
  /** Of the report of this status. */
  seq: number;
  /** By the platform's clock. */
  dueAtMs: number;
  /** How long before the end players were told last; null before the first time. */
  announcedSeconds: number | null;
  /** When the server was asked to stop; null before that. */
  begunAtMs: number | null;
  wasRunning: boolean;
  /** What the server said of its save before; null when it could not be asked. */
  saveBefore: string | null;
  hasBackup: boolean;
  /** Start parameters to go back to. */
  launchBefore: LaunchSettings;
  /** What is deleted, by name: noted before the first of them is moved. */
  names: string[];
  deletedBytes: number;
  /** What went wrong; while the wipe is not over it is being undone. */
  failure: WipeFailure | null;
  /** Everything is where it was, and only the server may still have to be started. */
  isPutBack: boolean;
  detail: string | null;
  /** Nothing is left to be cleared away or told. */
  isTidy: boolean;
}

const over: readonly WipeStatus[] = ['completed', 'failed', 'rolled_back', 'cancelled'];

export const isOver = ({ status }: Pick<WipeRecord, 'status'>) => over.includes(status);

/** Nobody expects a wipe any more that is later than this. */
const latestMs = 10 * 60_000;

/** Why a wipe of which nothing is done yet is not begun any more; null as long as it may be. */
export function expiryOf({ dueAtMs }: Pick<WipeRecord, 'dueAtMs'>, nowMs: number): WipeFailure | null {
  const lateMs = nowMs - dueAtMs;
  if (lateMs <= latestMs) return null;
  const minutes = Math.floor(lateMs / 60_000);
  const detail = `The agent was away when it was due; ${minutes} minutes later it was not begun any more.`;
  return { code: 'expired', detail };
}

export function deletedInWords({ names }: Pick<WipeRecord, 'names'>): string {
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

  /** The last wipe of the instance, over or not; null when there was none. */
  read(): WipeRecord | null {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path, 'utf8'));
      if (isRecord(value) && this.#messages.check('WipeRequest', value.request).isValid) return value;
      this.#log.error({ file: this.#path }, 'the record of a wipe is not understood');
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
