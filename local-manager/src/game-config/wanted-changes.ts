// Checks requested changes of settings: each setting is known, has a valid value, and is named once.
import type { components } from '../../../generated/local-manager.d.ts';
import type { Secrets } from '../security/secrets.ts';
import type { IniDocument } from './ini-document.ts';
import { settings, writeValue, wrongSetting, type KnownSetting } from './settings.ts';

export type Changes = components['schemas']['GameConfigUpdate']['changes'];

interface Wanted {
  setting: KnownSetting;
  written: string | null;
}

export function wantedOf(changes: Changes, secrets: Secrets): Wanted[] {
  const seen = new Set<KnownSetting>();
  return changes.map((change, index) => {
    const { file, section, key, value } = change;
    const pointer = `/changes/${index}`;
    const setting = settings.find(
      (candidate) => file === candidate.file && section === candidate.section && key === candidate.key,
    );
    if (setting === undefined)
      throw wrongSetting(`There is no setting ${key} in [${section}] of ${file}.`, `${pointer}/key`);
    if (seen.has(setting)) throw wrongSetting(`“${setting.label}” is changed twice.`, pointer);
    seen.add(setting);
    if (setting.isSecret && value !== null) secrets.add(value);
    return { setting, written: value === null ? null : writeValue(setting, value, `${pointer}/value`) };
  });
}

/** Each map takes one port from each of the two base ports upwards. */
const maxMaps = 34;

export function refuseOverlap(engine: IniDocument, pointer: string): void {
  const first = Number(engine.get('URL', 'Port') ?? 7777);
  const between = Number(engine.get('URL', 'IGWPort') ?? 7888);
  if (Math.abs(first - between) < maxMaps)
    throw wrongSetting(
      `“First game port” and “First server-to-server port” have to be at least ${maxMaps} apart.`,
      pointer,
    );
}
