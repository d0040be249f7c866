// Unpacks a backup into the staging directory of its restoration.
import { mkdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { writeAll } from '../instance-files/content.ts';
import { makeFolders, placeOf } from '../instance-files/entries.ts';
import type { Folder } from '../instance-files/folder.ts';
import { unpack } from './archive.ts';
import { folderModeOf } from './folder-modes.ts';

/** Returns the modes of the directories by path. They are applied once everything is in place. */
export async function unpackInto(staging: Folder, archive: FileHandle): Promise<ReadonlyMap<string, number>> {
  const modes = new Map<string, number>();
  await mkdir(staging.at('old'), 0o700);
  await mkdir(staging.at('new'), 0o700);
  const fresh = await staging.enter('new');
  const { room } = fresh;
  try {
    await unpack(archive, async ({ path, isDirectory, mode, mtimeMs }, content) => {
      const { parents, name } = placeOf(path);
      const folder = await makeFolders(fresh, isDirectory ? [...parents, name] : parents);
      try {
        if (isDirectory) {
          modes.set(path, folderModeOf(mode));
          return;
        }
        const handle = await folder.createFile(name);
        try {
          await writeAll({ handle, room }, content);
          await handle.chmod(mode & 0o777);
          await handle.utimes(mtimeMs / 1000, mtimeMs / 1000);
          await handle.datasync();
        } finally {
          await handle.close();
        }
      } finally {
        if (folder !== fresh) await folder.close();
      }
    });
  } finally {
    await fresh.close();
  }
  return modes;
}
