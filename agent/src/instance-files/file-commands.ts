// Runs the commands about files that may take long: packing and unpacking archives.
import type { HandlersOf } from '../commands/command-handler.ts';
import { failed, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { fileFailure } from './file-error.ts';
import type { InstanceFiles } from './instance-files.ts';
import { unpackFile } from './unzip.ts';
import { packFiles } from './zip.ts';

/**
 * File commands touch no process, so they need not wait for commands that do. A shutdown of the agent interrupts them:
 * their temporary files are removed, but moving many files is not atomic.
 */
export function fileCommands(
  filesOf: (instance: string) => InstanceFiles | undefined,
): HandlersOf<'zip_files' | 'unzip_file'> {
  const queueOf = ({ instance }: { instance: string }) => `${instance} files`;
  const withFiles = async (
    name: string,
    work: (files: InstanceFiles) => Promise<string>,
  ): Promise<Outcome> => {
    const files = filesOf(name);
    if (files === undefined) return failed('internal', 'The agent does not know the files of this instance.');
    try {
      return succeeded(await work(files));
    } catch (error) {
      return fileFailure(error);
    }
  };
  return {
    zip_files: {
      queueOf,
      run: ({ instance, args: { paths, archive_path } }) =>
        withFiles(instance, (files) => packFiles(files, paths, archive_path)),
      outcomeAfterInterruption: async () =>
        failed(
          'interrupted',
          'The agent was shut down while it created the archive; the archive is either complete or missing.',
        ),
    },
    unzip_file: {
      queueOf,
      run: ({ instance, args }) => withFiles(instance, (files) => unpackFile(files, args)),
      outcomeAfterInterruption: async () =>
        failed(
          'interrupted',
          'The agent was shut down while it unpacked; none, some or all files are in their place. Unpack them again.',
        ),
    },
  };
}
