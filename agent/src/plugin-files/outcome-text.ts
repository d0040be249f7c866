// Formats the results of plugin-file commands as sentences that name the plugins.
import type { Outcome } from '../supervisor/outcome.ts';
import type { ApplicationRecord } from './application-record.ts';

/** The outcome for one plugin. Its name is null when the server could not be reached at all. */
export interface LoadResult {
  plugin: string | null;
  outcome: Outcome;
}

/** Maximum number of names in one sentence. */
const maxNames = 5;

export function nameList(names: readonly string[]): string {
  const more = names.length - maxNames;
  return `${names.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Text from the server or from an error may lack a final full stop. */
export const asSentence = (text: string) =>
  /[.!?]$/.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`;

export function writtenFilesText({ files: { length } }: ApplicationRecord): string {
  if (length === 0) return 'Nothing was to be written.';
  return length === 1 ? '1 file is written.' : `${length} files are written.`;
}

/** Names the plugins that read the files but are not loaded; empty when all are loaded. */
export function unloadedPluginsText(plugins: readonly string[]): string[] {
  if (plugins.length === 0) return [];
  const isOne = plugins.length === 1;
  return [
    `${nameList(plugins)} ${isOne ? 'is' : 'are'} not loaded: nothing reads what ${isOne ? 'it has' : 'they have'} there.`,
  ];
}

export function withPlugin(
  { files }: ApplicationRecord,
  plugin: string | null,
  failure: Outcome & { isSuccess: false },
): Outcome {
  const isOfPlugin = plugin !== null && failure.errorCode === 'plugin_failed' && files.length > 0;
  const what = isOfPlugin ? `${plugin} did not load with ${nameList(files.map(({ path }) => path))}: ` : '';
  return { ...failure, detail: asSentence(`${what}${failure.detail}`) };
}

/** Describes how the plugins were loaded again, as the end of a sentence. */
export function reloadText(again: readonly LoadResult[]): string {
  const names = again.flatMap(({ plugin }) => (plugin === null ? [] : [plugin]));
  if (again.length === 0) return 'no plugin that reads them is loaded';
  const [who, verb] =
    names.length === 0 ? ['the plugin', 'is'] : [nameList(names), names.length === 1 ? 'is' : 'are'];
  return again.every(({ outcome }) => outcome.isSuccess)
    ? `${who} ${verb} loaded with them`
    : `${who} ${verb} not loaded; see the list of plugins`;
}
