// Errors of file operations in the contract's terms; they never contain paths of the host.
import type { Schemas } from '../messages.ts';
import { failed } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';

export type FileErrorCode = Schemas['FileError']['code'];

export class FileError extends Error {
  override readonly name = 'FileError';
  readonly code: FileErrorCode;

  constructor(code: FileErrorCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
  }
}

const ofSystem: Readonly<Record<string, readonly [FileErrorCode, string]>> = {
  ENOENT: ['not_found', 'There is no such file or directory.'],
  ENOTDIR: ['wrong_type', 'A step of the path is no directory.'],
  EISDIR: ['wrong_type', 'It is a directory.'],
  ENXIO: ['wrong_type', 'It is a device, a pipe or a socket.'],
  EEXIST: ['exists', 'An entry already exists at that path.'],
  ENOTEMPTY: ['not_empty', 'The directory is not empty.'],
  ELOOP: ['refused', 'The path leads through a symbolic link.'],
  EINVAL: ['invalid', 'The path cannot be used for this.'],
  ENAMETOOLONG: ['invalid', 'The path is too long for this host.'],
  ENOSPC: ['disk_full', 'The disk of the host is full.'],
  EDQUOT: ['disk_full', 'The disk quota on the host is used up.'],
  EFBIG: ['too_large', 'The file is too large for the file system of the host.'],
  EACCES: ['failed', 'The agent lacks the rights for this on its host.'],
  EPERM: ['failed', 'The agent lacks the rights for this on its host.'],
  EBUSY: ['failed', 'It is in use on the host.'],
  EROFS: ['failed', 'The file system of the host is read-only.'],
  EMFILE: ['busy', 'The agent has too many files open.'],
};

/** Converts anything thrown to a FileError. An unexpected error keeps only the operating system's error code. */
export function asFileError(thrown: unknown): FileError {
  if (thrown instanceof FileError) return thrown;
  const code =
    typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string'
      ? thrown.code
      : '';
  const [kind, detail] = ofSystem[code] ?? [
    'failed' as const,
    `The host could not do it${code === '' ? '' : ` (${code})`}.`,
  ];
  return new FileError(kind, detail, { cause: thrown });
}

type CommandErrorCode = NonNullable<Schemas['CommandResult']['error_code']>;
/** Areas that map some codes of file errors to result codes of their own. */
type ExceptionalArea = 'backups' | 'plugins' | 'plugin_files';

/** Every other code of a file error becomes `files_refused`. */
const errorCodes: Readonly<Partial<Record<FileErrorCode, CommandErrorCode>>> = { disk_full: 'disk_full' };
const exceptions: Readonly<Record<ExceptionalArea, Partial<Record<FileErrorCode, CommandErrorCode>>>> = {
  backups: { checksum: 'backup_damaged' },
  plugins: { not_supported: 'not_supported' },
  plugin_files: { changed: 'files_changed', not_supported: 'not_supported' },
};

/** Converts anything thrown to the outcome of a command. */
export function fileFailure(thrown: unknown, area?: ExceptionalArea): Outcome {
  const { code, message } = asFileError(thrown);
  const exception = area === undefined ? undefined : exceptions[area][code];
  return failed(exception ?? errorCodes[code] ?? 'files_refused', message);
}
