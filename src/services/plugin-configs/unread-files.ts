// Finds files that a plugin has on a server under names of its own, which imports do not read.
import type { NotRead, PluginKind } from '../../plugin-configs/kind.ts';
import type { PluginFilesOfServer, ServerFiles } from './server-files.ts';

/** Maximum file names read of one folder. */
const maxListed = 1_000;

/** The plugin's placeholder file, which contains nothing. */
const placeholder = '_emptyfile.json';
/** The form of a file name in the contract; servers may have others. */
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

/**
 * Returns the framework's folder relative to the instance's root, derived from the files read; null if none has a path.
 */
function frameworkFolder(present: ServerFiles): string | null {
  for (const [file, { path }] of present)
    if (path !== null) return path.split('/').slice(0, -file.split('/').length).join('/');
  return null;
}
