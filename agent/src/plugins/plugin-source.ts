// Validates the source of a plugin: it must be text and declare a class with the plugin's name.
import { FileError } from '../instance-files/file-error.ts';

/** Maximum size of a plugin's source, for uploads and for kept copies. */
export const maxPluginBytes = 4 * 1024 * 1024;

export const fileOf = (plugin: string) => `${plugin}.cs`;

/** Throws unless the bytes are the source of a plugin of that name. */
export function refuseUnlessPlugin(bytes: Uint8Array, plugin: string): void {
  if (bytes.byteLength > maxPluginBytes) throw new FileError('too_large', 'A plugin may have at most 4 MiB.');
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new FileError('not_plugin', 'The source is not UTF-8 text.', { cause: error });
  }
  if (/[\0-\u0008\u000e-\u001f]/.test(source))
    throw new FileError('not_plugin', 'The source has control characters.');
  if (!declaresClass(source, plugin))
    throw new FileError('not_plugin', `The source declares no class ${plugin}.`);
}

/** Whether the class is declared in the code itself, not in a comment or a string. */
export function declaresClass(source: string, name: string): boolean {
  return new RegExp(`\\bclass\\s{1,100}${name}\\b`).test(codeOf(source));
}

/** Matches the start of a comment, string or character literal. */
const opening = /\/\/|\/\*|"""|@\$?"|\$@"|"|'/g;

/**
 * Returns the source without comments, strings and character literals. An unclosed one extends to the end of its line
 * or of the source, depending on its kind.
 */
function codeOf(source: string): string {
  const code: string[] = [];
  let at = 0;
  for (const { 0: sign, index } of source.matchAll(opening)) {
    if (index < at) continue; // inside the previous literal
    code.push(source.slice(at, index));
    at = endOf(source, sign, index + sign.length);
  }
  return [...code, source.slice(at)].join(' ');
}

function endOf(source: string, sign: string, from: number): number {
  if (sign === '//') return after(source, '\n', from);
  if (sign === '/*') return after(source, '*/', from);
  if (sign === '"""') return after(source, sign, from);
  const isVerbatim = sign.length > 1;
  for (let at = from; at < source.length; at += 1) {
    const character = source[at];
    if (character === sign.at(-1)) {
      if (!isVerbatim || source[at + 1] !== '"') return at + 1;
      at += 1;
    } else if (!isVerbatim && character === '\n') return at;
    else if (!isVerbatim && character === '\\' && source[at + 1] !== '\n') at += 1;
  }
  return source.length;
}

function after(source: string, sign: string, from: number): number {
  const found = source.indexOf(sign, from);
  return found === -1 ? source.length : found + sign.length;
}
