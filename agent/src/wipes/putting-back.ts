// Undoes the changes that a wipe made to the files and the start parameters of its server.
import { isDeepStrictEqual } from 'node:util';
import { untilDone } from '../backoff.ts';
import type { LaunchSettings, LaunchSettingsFile } from '../supervisor/launch-settings.ts';
import type { Game } from './game.ts';
import type { WipeParts } from './wipe-parts.ts';
import type { WipeRecord } from './wipe-record.ts';

/** Idempotent: after an interruption, a second call continues with the remaining files. */
export async function putBack(
  { id, status, names, launchBefore, request, hasBackup }: WipeRecord,
  { instance, folder, backups, log }: WipeParts,
  game: Game,
  closed: AbortSignal,
): Promise<void> {
  if (status !== 'deleting' && status !== 'starting') return;
  if (status === 'starting') await game.stop();
  const missing = await folder().putBack(id, names, status === 'starting' ? request.kind : null);
  if (missing.length > 0 && !hasBackup)
    throw new Error(`Of the files that were set aside these are gone: ${missing.join(', ')}.`);
  if (missing.length > 0) await backups().restore(id);
  const { launch } = instance.context;
  // A server started with the new parameters would create a different world over the restored one.
  await untilDone(
    () => write(launch, launchBefore),
    closed,
    (error) => log.error({ wipe_id: id, err: error }, 'the start parameters cannot be put back yet'),
  );
}

async function write(launch: LaunchSettingsFile, settings: LaunchSettings): Promise<void> {
  if (!isDeepStrictEqual(launch.read(), settings)) await launch.write(settings);
}

/** Moves files that could not be restored to a folder that users can reach, and returns a sentence that names it. */
export async function whereaboutsOf({ id }: WipeRecord, { folder, log }: WipeParts): Promise<string> {
  try {
    const path = await folder().reveal(id);
    return path === null ? '' : ` What was set aside is in ${path}.`;
  } catch (error) {
    log.error({ wipe_id: id, err: error }, 'what a wipe has set aside cannot be moved');
    return ` What was set aside is in ${folder().asidePath(id)}.`;
  }
}
