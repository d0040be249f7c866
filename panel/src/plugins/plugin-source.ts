// What a source file of a plugin says about itself.
export interface PluginSource {
  file: File;
  /** The file's name without its ending, as frameworks name plugins. */
  name: string;
  title: string | null;
  author: string | null;
  version: string | null;
}

export type SourceFault = 'notSource' | 'name' | 'tooLarge' | 'noClass';

/** The limit of the contract. */
export const maxBytes = 4 * 1024 * 1024;

/** The form of names in the contract. */
const namePattern = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

export async function readSource(file: File): Promise<PluginSource | SourceFault> {
  if (!file.name.toLowerCase().endsWith('.cs')) return 'notSource';
  const name = file.name.slice(0, -'.cs'.length);
  if (!namePattern.test(name)) return 'name';
  if (file.size > maxBytes) return 'tooLarge';
  const text = await file.text();
  if (!new RegExp(`\\bclass\\s+${name}\\b`).test(text)) return 'noClass';
  const [, title = null, author = null, version = null] =
    /\[\s*Info\s*\(\s*"([^"]*)"\s*,\s*"([^"]*)"\s*,\s*"?([^")]*)"?\s*\)/.exec(text) ?? [];
  return { file, name, title, author, version };
}
