// Collects what a wipe needs before it deletes anything: RCON and start checks, the backup and the list of files.
import { FileError } from '../instance-files/file-error.ts';
import type { Instance } from '../supervisor/instance.ts';
import { messageOf } from '../supervisor/outcome.ts';
import { objectionToStart } from '../supervisor/start-room.ts';
import { WipeError } from './wipe-error.ts';
import type { WipeParts } from './wipe-parts.ts';
import type { WipeFailure, WipeRecord } from './wipe-record.ts';

/** Returns why the agent could not confirm a restart over RCON, or null when no obstacle is known. */
export function silenceReason({
  isMeantToRun,
  context,
}: Pick<Instance, 'isMeantToRun' | 'context'>): string | null {
  const state = context.rcon?.state;
  if (!isMeantToRun || state?.is !== 'refused') return null;
  return `The server was left as it is: a wipe is over once it answers over RCON, and it does not. ${state.detail}`;
}

/** Returns why a running server could not be started again after the wipe; null when it could or is not running. */
export async function startFailureAhead({
  isMeantToRun,
  context,
}: Pick<Instance, 'isMeantToRun' | 'context'>): Promise<WipeFailure | null> {
  const objection = isMeantToRun ? await objectionToStart(context) : null;
  return objection === null ? null : { code: 'start_failed', detail: objection.detail };
}

export async function backUp({ id }: WipeRecord, { backups, folder, onBackup }: WipeParts): Promise<void> {
  try {
    await backups().create({ id, kind: 'wipe', paths: [folder().path] });
    onBackup();
  } catch (error) {
    // A server that has never run has nothing to back up.
    if (!(error instanceof FileError && error.code === 'not_found'))
      throw new WipeError('backup_failed', messageOf(error), { cause: error });
  }
}

/** Returns all files to delete, including those that an earlier agent has already moved. */
export async function filesToDelete(
  { names, deletedBytes, request }: WipeRecord,
  { folder }: WipeParts,
): Promise<Pick<WipeRecord, 'names' | 'deletedBytes'>> {
  const more = (await folder().plan(request.kind)).filter(({ name }) => !names.includes(name));
  return {
    names: [...names, ...more.map(({ name }) => name)],
    deletedBytes: more.reduce((sum, { size }) => sum + size, deletedBytes),
  };
}
