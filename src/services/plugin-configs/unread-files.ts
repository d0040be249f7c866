// Finds the files of a plugin that a server has under names of its own, which nobody here reads.
import type { NotRead, PluginKind } from '../../plugin-configs/kind.ts';
import type { PluginFilesOfServer, ServerFiles } from './server-files.ts';

/** File names read of one folder. */
const maxListed = 1_000;

/** The plugin's own, which says nothing. */
const placeholder = '_emptyfile.json';
/** What a name is by the contract; servers may have others. */
const ordinary = /^[A-Za-z0-9_][A-Za-z0-9 _-]{0,60}\.json$/;

export async function unreadFiles(
  server: PluginFilesOfServer,
  { definition: { folders = [] }, files }: PluginKind,
  present: ServerFiles,
): Promise<NotRead[]> {
  const framework = frameworkFolder(present);
  const [first] = present.keys();
  if (framework === null || first === undefined) return [];
  const unread: NotRead[] = [];
  for (const { folder, detail } of folders) {
    const names = await server.list(`${framework}/${folder}`, maxListed);
    for (const name of names) {
      const file = `${folder}/${name}`;
      if (!name.endsWith('.json') || name === placeholder || files.includes(file)) continue;
      unread.push(
        ordinary.test(name)
          ? { file, pointer: '', detail }
          : { file: first, pointer: '', detail: `${file} beside it ${detail}` },
      );
    }
  }
  return unread;
}

/** Below the root of the instance, as the files that were read tell; null where none does. */
function frameworkFolder(present: ServerFiles): string | null {
  for (const [file, { path }] of present)
    if (path !== null) return path.split('/').slice(0, -file.split('/').length).join('/');
  return null;
}
