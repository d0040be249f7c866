// Runs the commands that deploy and remove maps.
import type { Logger } from 'pino';
import type { CommandArea } from '../commands/area.ts';
import { BrokenDownload, DownloadError } from '../downloads/download-error.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import type { CommandEnvelope, Messages } from '../messages.ts';
import { refusedByFiles } from '../instance-files/file-commands.ts';
import { failed, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { MapFetcher } from './map-fetcher.ts';

interface MapCommandOptions {
  files: (instance: string) => InstanceFiles | undefined;
  messages: Messages;
  log: Logger;
}

/** Map commands have a queue of their own, so that a slow download delays no other command. */
export function mapCommands(options: MapCommandOptions): CommandArea {
  return {
    verbs: ['deploy_map', 'remove_map'],
    lineOf: ({ instance }) => `${instance} maps`,
    carryOut: (command) => carryOut(command, options),
  };
}

async function carryOut(
  { instance, verb, args }: CommandEnvelope,
  { files: filesOf, messages, log }: MapCommandOptions,
): Promise<Outcome> {
  const files = filesOf(instance);
  if (files === undefined) return failed('internal', 'The agent does not know the files of this instance.');
  const fetcher = new MapFetcher(files, log);
  try {
    if (verb === 'deploy_map') {
      const parsed = messages.check('DeployMapArgs', args);
      if (!parsed.isValid) throw new DownloadError(`args${parsed.detail}`);
      return succeeded(`${await fetcher.fetch(parsed.value.map)} is there.`);
    }
    const parsed = messages.check('RemoveMapArgs', args);
    if (!parsed.isValid) throw new DownloadError(`args${parsed.detail}`);
    await fetcher.remove(parsed.value.file_name);
    return succeeded(`${parsed.value.file_name} is gone.`);
  } catch (error) {
    if (error instanceof DownloadError) return failed('map_not_fetched', error.message);
    if (error instanceof BrokenDownload)
      return failed('map_not_fetched', `The map could not be fetched: ${error.message}.`);
    return refusedByFiles(error);
  }
}
