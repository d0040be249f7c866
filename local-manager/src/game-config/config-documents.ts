// Both files of the settings as documents: their version, their values, their secrets and what is refused in them.
import { createHash } from 'node:crypto';
import type { components } from '../../../generated/local-manager.d.ts';
import type { GuestFile } from '../guest-shell/guest-files.ts';
import { refusal } from '../refusals.ts';
import { IniDocument } from './ini-document.ts';
import {
  hidden,
  readValue,
  settings,
  writeValue,
  wrongSetting,
  type ConfigFile,
  type KnownSetting,
} from './settings.ts';
import { refuseOverlap } from './wanted-changes.ts';

type Schemas = components['schemas'];
export type Files = Record<ConfigFile, GuestFile>;
export type Documents = Record<ConfigFile, IniDocument>;

export const files: readonly ConfigFile[] = ['UserEngine.ini', 'UserGame.ini'];

export const versionOf = (saved: Files) =>
  createHash('sha256')
    .update(files.map((file) => saved[file].hash).join('\n'))
    .digest('hex');

/** Refuses files that are not UTF-8, because other bytes would be lost when writing them back. */
export function documentsOf(saved: Files): Documents {
  const read = (file: ConfigFile) => {
    const text = saved[file].content.toString('utf8');
    if (!Buffer.from(text).equals(saved[file].content))
      throw refusal('guest_failed', `${file} is not UTF-8.`);
    return new IniDocument(text);
  };
  return { 'UserEngine.ini': read('UserEngine.ini'), 'UserGame.ini': read('UserGame.ini') };
}

/** A secret that is still masked keeps its written value. */
export function withSecretsOf(before: Documents, documents: Documents): Documents {
  for (const { file, section, key } of settings.filter(({ isSecret }) => isSecret)) {
    const written = documents[file].get(section, key);
    if (written === undefined || !written.includes(hidden)) continue;
    const kept = before[file].get(section, key);
    if (kept === undefined) documents[file].delete(section, key);
    else documents[file].set(section, key, kept);
  }
  return documents;
}

/** Known settings have valid values, also where their lines were typed. */
export function refuseInvalid(documents: Documents): void {
  for (const setting of settings) {
    const written = documents[setting.file].get(setting.section, setting.key);
    if (written === undefined) continue;
    const pointer = setting.file === 'UserEngine.ini' ? '/engine' : '/game';
    const value = readValue(setting, written);
    if (value === null)
      throw wrongSetting(`“${setting.label}” (${setting.key}) has a value of another type.`, pointer);
    writeValue(setting, value, pointer);
  }
  refuseOverlap(documents['UserEngine.ini'], '/engine');
}

export function valueIn(documents: Documents, setting: KnownSetting): string | null {
  const written = documents[setting.file].get(setting.section, setting.key);
  return written === undefined ? null : readValue(setting, written);
}

export function viewSetting(
  setting: KnownSetting,
  saved: Documents,
  deployed: Documents | undefined,
): Schemas['GameSetting'] {
  const shown = (value: string | null) => (value !== null && setting.isSecret ? hidden : value);
  const { file, section, key, label, hint, type, minimum, maximum, isSecret } = setting;
  const serverValue = deployed === undefined ? null : valueIn(deployed, setting);
  return {
    ...{ file, section, key, label, hint, type, minimum, maximum, isSecret },
    value: shown(valueIn(saved, setting)),
    serverValue: shown(serverValue),
    default: setting.default,
  };
}

/**
 * The names of entries that differ, each once: their keys, and the section of a line without one. Known settings are
 * compared by their values, other lines as they are written; the order of lines counts only among those of one key.
 */
export function differingKeys(one: Documents, other: Documents): string[] {
  const ones = contentOf(one);
  const others = contentOf(other);
  const differing = [...new Map([...ones, ...others])].filter(
    ([place]) => ones.get(place)?.content !== others.get(place)?.content,
  );
  return [...new Set(differing.map(([, { name }]) => name))];
}

const placeOf = (file: ConfigFile, section: string, key: string) =>
  [file, section, key].join('\n').toLowerCase();

function contentOf(documents: Documents): Map<string, { name: string; content: string }> {
  const contents = new Map<string, { name: string; content: string }>();
  for (const setting of settings) {
    const { file, section, key } = setting;
    const written = documents[file].get(section, key);
    if (written !== undefined)
      contents.set(placeOf(file, section, key), {
        name: key,
        content: readValue(setting, written) ?? written,
      });
  }
  const known = new Set(settings.map(({ file, section, key }) => placeOf(file, section, key)));
  for (const file of files)
    for (const { section, key, value } of documents[file].entries()) {
      const place = placeOf(file, section, key);
      if (known.has(place)) continue;
      const before = contents.get(place);
      const content = before === undefined ? value : `${before.content}\n${value}`;
      contents.set(place, { name: key === '' ? `[${section}]` : key, content });
    }
  return contents;
}
