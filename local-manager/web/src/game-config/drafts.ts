// Unsaved changes of the settings.
import type { components } from '../../../../generated/local-manager.d.ts';

type Schemas = components['schemas'];
export type Setting = Schemas['GameSetting'];

/** New values by the setting's name; null removes a setting from its file. */
export type Drafts = Readonly<Record<string, string | null>>;

export const nameOf = ({ file, section, key }: Pick<Setting, 'file' | 'section' | 'key'>): string =>
  `${file}/${section}/${key}`;

/** A stored secret is never returned: an emptied field counts as untouched, not as an empty secret. */
export function withDraft(drafts: Drafts, setting: Setting, value: string | null): Drafts {
  const { [nameOf(setting)]: _before, ...others } = drafts;
  return setting.isSecret && value === '' ? others : { ...others, [nameOf(setting)]: value };
}

/** The error in a typed number; a comma is neither accepted as a point nor ignored. */
export function wrongNumber(
  { type, minimum, maximum }: Pick<Setting, 'type' | 'minimum' | 'maximum'>,
  typed: string | null,
): string | undefined {
  if (typed === null || (type !== 'integer' && type !== 'decimal')) return undefined;
  if (type === 'integer' && !/^-?\d{1,9}$/.test(typed)) return 'Enter a whole number.';
  if (!/^-?\d{1,9}(\.\d{1,6})?$/.test(typed)) return 'Enter a number with a decimal point, such as 1.5.';
  const number = Number(typed);
  if ((minimum !== null && number < minimum) || (maximum !== null && number > maximum))
    return `From ${minimum ?? '…'} to ${maximum ?? '…'}.`;
  return undefined;
}

export function changesOf(settings: readonly Setting[], drafts: Drafts): Schemas['GameSettingChange'][] {
  return settings.flatMap((setting) => {
    const draft = drafts[nameOf(setting)];
    if (draft === undefined || draft === setting.value) return [];
    const { file, section, key } = setting;
    return [{ file, section, key, value: draft }];
  });
}

interface Group {
  name: string;
  title: string;
  file: Setting['file'];
  settings: Setting[];
}

/** The settings by file and section, in the manager's order. */
export function groupsOf(settings: readonly Setting[]): Group[] {
  const groups = new Map<string, Group>();
  for (const setting of settings) {
    const { file, section } = setting;
    const name = `${file}/${section}`;
    const group = groups.get(name) ?? { name, title: titleOf(section), file, settings: [] };
    group.settings.push(setting);
    groups.set(name, group);
  }
  return [...groups.values()];
}

/** `/Script/DuneSandbox.PvpPveSettings` is `Pvp Pve Settings`. */
function titleOf(section: string): string {
  const name = section.split(/[/.]/).at(-1) ?? section;
  return name.replace(/([a-z])([A-Z])/g, '$1 $2');
}
