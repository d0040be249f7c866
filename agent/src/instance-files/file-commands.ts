// Runs the commands about files that may take long: packing and unpacking archives.
import type { CommandEnvelope, Messages, Parsed } from '../messages.ts';
import { failed, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { asFileError, FileError } from './file-error.ts';
import type { InstanceFiles } from './instance-files.ts';
import { unpackFile } from './unzip.ts';
import { packFiles } from './zip.ts';

export async function runFileCommand(
  { verb, args }: CommandEnvelope,
  files: InstanceFiles,
  messages: Messages,
): Promise<Outcome> {
  try {
    if (verb === 'zip_files') {
      const { paths, archive_path } = checked(messages.check('ZipFilesArgs', args));
      return succeeded(await packFiles(files, paths, archive_path));
    }
    return succeeded(await unpackFile(files, checked(messages.check('UnzipFileArgs', args))));
  } catch (error) {
    return refusedByFiles(error);
  }
}

/** Maps a file error to the outcome of a command. */
export function refusedByFiles(error: unknown): Outcome {
  const { code, message } = asFileError(error);
  return failed(code === 'disk_full' ? 'disk_full' : 'files_refused', message);
}

/**
 * The outcome of a command that a shutdown of the agent interrupted. Its temporary files are removed, but moving many
 * files is not atomic.
 */
export function interrupted(verb: CommandEnvelope['verb']): Outcome {
  return failed(
    'interrupted',
    verb === 'zip_files'
      ? 'The agent ended while it packed; there is a whole archive or none.'
      : 'The agent ended while it unpacked; none, some or all files are in their place. Unpack them again.',
  );
}

function checked<T>(parsed: Parsed<T>): T {
  if (!parsed.isValid) throw new FileError('invalid', parsed.detail);
  return parsed.value;
}
