// Finds the files of a plugin that a server has under names of its own, which nobody here reads.
import type { NotRead, PluginKind } from '../../plugin-configs/kind.ts';
import { mostRemarks } from '../../plugin-configs/reading.ts';
import type { PluginFilesOfServer, ServerFiles } from './server-files.ts';

/** The plugin's own, which says nothing. */
const placeholder = '_emptyfile.json';

export async function unreadFiles(
  server: PluginFilesOfServer,
  { definition: { folders = [] }, files }: PluginKind,
  present: ServerFiles,
): Promise<NotRead[]> {
  const framework = frameworkFolder(present);
  if (framework === null) return [];
  const unread: NotRead[] = [];
  for (const { folder, detail } of folders) {
    const names = await server.list(`${framework}/${folder}`, files.length + mostRemarks);
    const others = names
      .filter((name) => name.endsWith('.json') && name !== placeholder)
      .map((name) => `${folder}/${name}`)
      .filter((file) => !files.includes(file));
    unread.push(...others.map((file) => ({ file, pointer: '', detail })));
  }
  return unread;
}

/** Below the root of the instance, as the files that were read tell; null where none does. */
function frameworkFolder(present: ServerFiles): string | null {
  for (const [file, { path }] of present)
    if (path !== null) return path.split('/').slice(0, -file.split('/').length).join('/');
  return null;
}
