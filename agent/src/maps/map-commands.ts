// Runs the commands that deploy and remove maps.
import type { Logger } from 'pino';
import type { HandlersOf } from '../commands/command-handler.ts';
import { BrokenDownload, DownloadError } from '../errors.ts';
import { fileFailure } from '../instance-files/file-error.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import { failed, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { MapFetcher } from './map-fetcher.ts';

interface MapCommandOptions {
  files: (instance: string) => InstanceFiles | undefined;
  log: Logger;
}

/** Map commands have a queue of their own, so that a slow download delays no other command. */
export function mapCommands({
  files: filesOf,
  log,
}: MapCommandOptions): HandlersOf<'deploy_map' | 'remove_map'> {
  const queueOf = ({ instance }: { instance: string }) => `${instance} maps`;
  const withFetcher = async (
    instance: string,
    work: (fetcher: MapFetcher) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const files = filesOf(instance);
    if (files === undefined) return failed('internal', 'The agent does not know the files of this instance.');
    try {
      return await work(new MapFetcher(files, log));
    } catch (error) {
      if (error instanceof DownloadError) return failed('map_not_fetched', error.message);
      if (error instanceof BrokenDownload)
        return failed('map_not_fetched', `The map could not be fetched: ${error.message}.`);
      return fileFailure(error);
    }
  };
  return {
    deploy_map: {
      queueOf,
      run: ({ instance, args: { map } }) =>
        withFetcher(instance, async (fetcher) => succeeded(`${await fetcher.fetch(map)} is there.`)),
    },
    remove_map: {
      queueOf,
      run: ({ instance, args: { file_name } }) =>
        withFetcher(instance, async (fetcher) => {
          await fetcher.remove(file_name);
          return succeeded(`${file_name} is gone.`);
        }),
    },
  };
}
