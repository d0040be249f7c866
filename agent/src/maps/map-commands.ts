// Carries out the commands about maps.
import type { Logger } from 'pino';
import { asFileError } from '../instance-files/file-error.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import type { CommandEnvelope, Messages } from '../messages.ts';
import { failed, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { BrokenDownload, MapError } from './map-error.ts';
import { MapFetcher } from './map-fetcher.ts';

const argumentsOf = { 'map-deploy': 'MapDeployArgs', 'map-remove': 'MapRemoveArgs' } as const;

export type MapVerb = keyof typeof argumentsOf;

export function isMapVerb(verb: string): verb is MapVerb {
  return Object.hasOwn(argumentsOf, verb);
}

export async function runMapCommand(
  { verb, args }: Pick<CommandEnvelope, 'args'> & { verb: MapVerb },
  { files, messages, log }: { files: InstanceFiles; messages: Messages; log: Logger },
): Promise<Outcome> {
  const fetcher = new MapFetcher(files, log);
  try {
    if (verb === 'map-deploy') {
      const parsed = messages.check('MapDeployArgs', args);
      if (!parsed.isValid) throw new MapError(`args${parsed.detail}`);
      return succeeded(`${await fetcher.fetch(parsed.value.map)} is there.`);
    }
    const parsed = messages.check('MapRemoveArgs', args);
    if (!parsed.isValid) throw new MapError(`args${parsed.detail}`);
    await fetcher.remove(parsed.value.file_name);
    return succeeded(`${parsed.value.file_name} is gone.`);
  } catch (error) {
    if (error instanceof MapError) return failed('map_not_fetched', error.message);
    if (error instanceof BrokenDownload)
      return failed('map_not_fetched', `The map could not be fetched: ${error.message}.`);
    return failed('files_refused', asFileError(error).message);
  }
}
