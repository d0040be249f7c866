// Checks, before a running instance is stopped, whether it could be started again.
import { open, rm } from 'node:fs/promises';
import { isFull } from '../errors.ts';
import { failed, messageOf } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import type { RunContext } from './run.ts';

/** More than a start writes before the server runs: its record and new output files. */
const startBytes = 64 * 1024;

/** Returns why a start would fail, or null. Writes a real file, because quotas and faulty disks also refuse writes. */
export async function objectionToStart({
  config,
  file,
}: Pick<RunContext, 'file'> & {
  config: Pick<RunContext['config'], 'startObjection'>;
}): Promise<Outcome | null> {
  if (config.startObjection !== undefined)
    return failed('start_failed', `${config.startObjection} The server was not stopped.`);
  const path = file('start-room');
  try {
    const probe = await open(path, 'w', 0o600);
    try {
      await probe.writeFile(Buffer.alloc(startBytes, 1));
      await probe.sync();
    } finally {
      await probe.close();
    }
    return null;
  } catch (error) {
    return isFull(error)
      ? failed(
          'disk_full',
          'The disk is full, and the server could not be started again; it was not stopped.',
        )
      : failed(
          'start_failed',
          `The server could not be started again; it was not stopped: ${messageOf(error)}`,
        );
  } finally {
    await rm(path, { force: true });
  }
}
