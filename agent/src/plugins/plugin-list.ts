// Parses the plugin lists of Oxide and Carbon; every field is bounded, because a server may print anything.
import { plainText } from '../rcon/server-replies.ts';
import { fieldsOf, parsed } from '../rcon/frames.ts';
import type { Framework } from './framework.ts';
import { readCarbonTable } from './carbon-table.ts';
import {
  linesIn,
  nameOfFile,
  pluginOf,
  maxLineLength,
  maxLines,
  type InstalledPlugin,
} from './installed-plugin.ts';

const maxPlugins = 400;

/** Parses the reply to the framework's `plugins` command. Returns null when it is not a list. */
export function readPlugins(framework: Framework, text: string): InstalledPlugin[] | null {
  const found = framework === 'oxide' ? readOxide(text) : readCarbon(text);
  if (found === null) return null;
  const byName = new Map<string, InstalledPlugin>();
  for (const plugin of found) {
    const known = byName.get(plugin.name);
    if (known === undefined && byName.size >= maxPlugins) break;
    // A failed compilation takes precedence, whether an older version of the plugin is loaded or not.
    if (known === undefined || plugin.state === 'failed') byName.set(plugin.name, { ...known, ...plugin });
  }
  return [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function readOxide(text: string): InstalledPlugin[] | null {
  const [heading = '', ...lines] = linesIn(text.trimStart());
  if (/^No plugins/i.test(heading)) return [];
  if (!/^Listing \d+ plugins?\b/i.test(heading)) return null;
  const found: InstalledPlugin[] = [];
  for (const line of lines) {
    const [, entry] = /^\s*\d+ (.*)$/.exec(line) ?? [];
    const last = found.at(-1);
    if (entry !== undefined) found.push(...(entry.startsWith('"') ? loadedOxide(entry) : otherOxide(entry)));
    else if (last?.error !== undefined) last.error = plainText(`${last.error} ${line.trim()}`, 300);
  }
  return found;
}

/** `"Title" (1.0.0) by Author (0.01s / 12 KB) - File.cs` */
function loadedOxide(entry: string): InstalledPlugin[] {
  const beforeFile = entry.lastIndexOf(' - ');
  const head = beforeFile === -1 ? entry : entry.slice(0, beforeFile);
  const afterTitle = head.indexOf('" (');
  const afterVersion = head.indexOf(') by ', afterTitle);
  if (beforeFile === -1 || afterTitle === -1 || afterVersion === -1) return [];
  const author = head.slice(afterVersion + ') by '.length);
  const afterAuthor = author.lastIndexOf(' (');
  return pluginOf({
    state: 'loaded',
    file: entry.slice(beforeFile + ' - '.length),
    title: head.slice(1, afterTitle),
    version: head.slice(afterTitle + '" ('.length, afterVersion),
    author: afterAuthor === -1 ? author : author.slice(0, afterAuthor),
  });
}

/** `Name - Unloaded`, or the reason why it is not loaded. */
function otherOxide(entry: string): InstalledPlugin[] {
  const afterName = entry.indexOf(' - ');
  if (afterName === -1) return [];
  const file = `${entry.slice(0, afterName)}.cs`;
  const why = entry.slice(afterName + ' - '.length);
  return /^unloaded\.?$/i.test(why.trim())
    ? pluginOf({ state: 'unloaded', file })
    : pluginOf({ state: 'failed', file, error: why });
}

function readCarbon(text: string): InstalledPlugin[] | null {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return readCarbonTable(text);
  const fields = fieldsOf(value);
  if (!Array.isArray(value) && !Array.isArray(fields.get('Plugins'))) return null;
  return [
    ...packaged(Array.isArray(value) ? value : fields.get('Plugins')).flatMap(loadedCarbon),
    ...listIn(fields.get('Unloaded')).flatMap((file) =>
      typeof file === 'string' ? pluginOf({ state: 'unloaded', file }) : [],
    ),
    ...listIn(fields.get('Failed')).flatMap(failedCarbon),
  ];
}

/** Carbon groups plugins in packages. */
function packaged(value: unknown): unknown[] {
  return listIn(value).flatMap((entry) => {
    const plugins = fieldsOf(entry).get('Plugins');
    return Array.isArray(plugins) ? listIn(plugins) : [entry];
  });
}

function loadedCarbon(entry: unknown): InstalledPlugin[] {
  const fields = fieldsOf(entry);
  const text = (...names: string[]) => names.map((name) => textIn(fields.get(name))).find(Boolean);
  const file = text('FilePath', 'FileName', 'File');
  const title = text('Title', 'Name');
  const name = file === undefined ? text('Name', 'Title') : nameOfFile(file);
  return pluginOf({
    state: 'loaded',
    ...(name !== undefined && { name }),
    ...(file !== undefined && { file }),
    ...(title !== undefined && { title }),
    author: text('Author') ?? '',
    version: versionIn(fields.get('Version')),
  });
}

function failedCarbon(entry: unknown): InstalledPlugin[] {
  const fields = fieldsOf(entry);
  const file = textIn(fields.get('File'));
  if (file === undefined) return [];
  const errors = listIn(fields.get('Errors')).slice(0, 3);
  const messages = errors.map((error) => {
    const of = fieldsOf(error);
    const [line, column] = [of.get('Line'), of.get('Column')].map(Number);
    const where = Number.isFinite(line) && Number.isFinite(column) ? ` (${line},${column})` : '';
    return `${textIn(of.get('Message')) ?? textIn(error) ?? ''}${where}`;
  });
  return pluginOf({ state: 'failed', file, error: messages.join('; ') || textIn(fields.get('Error')) || '' });
}

/** The version is a text, or an object with its numbers. */
function versionIn(value: unknown): string {
  if (typeof value === 'string') return value;
  const fields = fieldsOf(value);
  const numbers = ['Major', 'Minor', 'Patch'].map((part) => Number(fields.get(part)));
  return numbers.every(Number.isFinite) ? numbers.join('.') : '';
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, maxLines) : [];
}

const textIn = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value.slice(0, maxLineLength) : undefined;
