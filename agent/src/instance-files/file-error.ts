// Errors of file operations in the contract's terms; they never contain paths of the host.
import type { Schemas } from '../messages.ts';

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
  EEXIST: ['exists', 'There is something at that path already.'],
  ENOTEMPTY: ['not_empty', 'The directory is not empty.'],
  ELOOP: ['refused', 'The path leads through a symbolic link.'],
  EINVAL: ['invalid', 'The path can not be used for this.'],
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
