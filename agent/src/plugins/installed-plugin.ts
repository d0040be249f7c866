// One plugin of a list that a game server prints; every field comes from the server and is bounded.
import type { Schemas } from '../messages.ts';
import { plainText } from '../rcon/server-replies.ts';

export type InstalledPlugin = Schemas['InstalledPlugin'];

export const maxLines = 5_000;
export const maxLineLength = 2_000;

/** Returns the plugin name for a file path of any operating system. */
export function nameOfFile(path: string): string {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return plainText(file, 104).replace(/\.cs$/i, '').slice(0, 100);
}

export function linesIn(text: string): string[] {
  return text.split('\n', maxLines).map((line) => line.slice(0, maxLineLength).trimEnd());
}

/** Omits the fields that are not given. */
export function pluginOf({
  file,
  title,
  author,
  version,
  state,
  error,
  name = nameOfFile(file ?? title ?? ''),
}: Partial<InstalledPlugin> & { state: InstalledPlugin['state'] }): InstalledPlugin[] {
  if (name === '') return [];
  const hasFile = file !== undefined && file !== '';
  return [
    {
      name: plainText(name, 100),
      state,
      ...(hasFile && { file: `${nameOfFile(file)}.cs` }),
      ...(title !== undefined && { title: plainText(title, 80) }),
      ...(author !== undefined && { author: plainText(author, 80) }),
      ...(version !== undefined && { version: plainText(version, 40) }),
      ...(error !== undefined && { error: plainText(error, 300) }),
    },
  ].filter((plugin) => plugin.name !== '');
}
