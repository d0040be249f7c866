// Error of a failed wipe step, with its code and detail; the wipe is then undone.
import { FileError } from '../instance-files/file-error.ts';
import { messageOf } from '../supervisor/outcome.ts';
import type { WipeErrorCode, WipeFailure } from './wipe-record.ts';

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
