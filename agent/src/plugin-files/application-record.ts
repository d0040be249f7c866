// Stores the progress of a plugin-file command on disk, so that the next agent knows what to restore.
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { replaceDurably } from '../state-files/durable-file.ts';
import { ownSchemas } from '../messages.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { isMissing } from '../errors.ts';

export interface RecordedFile {
  /** Relative to the instance's root. */
  path: string;
  /** Hash of the new content. */
  sha256: string;
  /** Hash of the former content; null when there was no file. */
  present: string | null;
}

export interface ApplicationRecord {
  /** Id of the command. */
  id: string;
  /**
   * `writing`: from before the first file is touched. `loading`: all files are in place. `taking_back`: the plugins
   * could not load them and the former files are being restored. `over`: nothing is left to do.
   */
  phase: 'writing' | 'loading' | 'taking_back' | 'over';
  files: RecordedFile[];
  /** Plugins that read the files. */
  plugins: string[];
  /** Plugins that this command unloaded. They are loaded again in every case. */
  unloaded: string[];
  /** The result; while files are being restored, the failure that caused it. */
  outcome?: Outcome;
}

const names = { type: 'array', items: { type: 'string', pattern: '^\\w+$' } };

const isRecord = ownSchemas().compile<ApplicationRecord>({
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

export class ApplicationRecordFile {
  readonly #path: string;
  readonly #log: Logger;

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
  }

  /** Returns the record of the instance's last such command: null if there was none, undefined if it is unreadable. */
  read(): ApplicationRecord | null | undefined {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path, 'utf8'));
      if (isRecord(value)) return value;
      this.#log.error({ file: this.#path }, 'the record of a plugin-file command is invalid');
    } catch (error) {
      if (isMissing(error)) return null;
      this.#log.error({ file: this.#path, err: error }, 'the record of a plugin-file command cannot be read');
    }
    return undefined;
  }

  write(record: ApplicationRecord): Promise<void> {
    return replaceDurably(this.#path, JSON.stringify(record));
  }
}
