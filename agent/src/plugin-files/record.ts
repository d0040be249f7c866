// Keeps on disk how far a command about files of plugins has come, so that the next agent knows what to take back.
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { replaceDurably } from '../files/durable-file.ts';
import { ownSchemas } from '../own-schemas.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { isMissing } from '../system-error.ts';

export interface RecordedFile {
  /** Below the instance's root. */
  path: string;
  /** What is written. */
  sha256: string;
  /** What was there; null where nothing was. */
  present: string | null;
}

export interface ApplyRecord {
  /** Of the command. */
  id: string;
  /**
   * `writing` from before the first file is touched; `loading` once all are in place; `taking_back` from when the plugins
   * could not read them; `over` when nothing is left to do.
   */
  phase: 'writing' | 'loading' | 'taking_back' | 'over';
  files: RecordedFile[];
  /** Those that read the files. */
  plugins: string[];
  /** Those of them that were unloaded for it and are to be loaded again, whatever becomes of the files. */
  unloaded: string[];
  /** How it has ended; while files are taken back, why they are. */
  outcome?: Outcome;
}

const names = { type: 'array', items: { type: 'string', pattern: '^\\w+$' } };

const isRecord = ownSchemas().compile<ApplyRecord>({
  type: 'object',
  required: ['id', 'phase', 'files', 'plugins', 'unloaded'],
  properties: {
    id: { type: 'string', pattern: '^[0-9a-fA-F-]{36}$' },
    phase: { enum: ['writing', 'loading', 'taking_back', 'over'] },
    files: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'sha256', 'present'],
        properties: {
          path: { type: 'string' },
          sha256: { type: 'string' },
          present: { type: ['string', 'null'] },
        },
      },
    },
    plugins: names,
    unloaded: names,
    outcome: {
      type: 'object',
      required: ['isSuccess', 'detail'],
      properties: {
        isSuccess: { type: 'boolean' },
        detail: { type: 'string' },
        isLoaded: { type: 'boolean' },
        errorCode: { type: 'string' },
      },
      if: { properties: { isSuccess: { const: false } } },
      then: { required: ['errorCode'] },
    },
  },
});

export class ApplyRecordFile {
  readonly #path: string;
  readonly #log: Logger;

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
  }

  /** Of the last such command of the instance; null when there was none, undefined when nobody can tell. */
  read(): ApplyRecord | null | undefined {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path, 'utf8'));
      if (isRecord(value)) return value;
      this.#log.error({ file: this.#path }, 'the record of files of plugins is not understood');
    } catch (error) {
      if (isMissing(error)) return null;
      this.#log.error({ file: this.#path, err: error }, 'the record of files of plugins cannot be read');
    }
    return undefined;
  }

  write(record: ApplyRecord): Promise<void> {
    return replaceDurably(this.#path, JSON.stringify(record));
  }
}
