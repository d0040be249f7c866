// What somebody has changed of the settings and not saved yet.
import type { Schemas } from '../api/client.ts';

export type Setting = Schemas['GameSetting'];

/** New values by the setting's name; null takes a setting out of its file. */
export type Drafts = Readonly<Record<string, string | null>>;

export const nameOf = ({ file, section, key }: Pick<Setting, 'file' | 'section' | 'key'>): string =>
  `${file}/${section}/${key}`;

export function changesOf(settings: readonly Setting[], drafts: Drafts): Schemas['GameSettingChange'][] {
  return settings.flatMap((setting) => {
    const draft = drafts[nameOf(setting)];
    if (draft === undefined || draft === setting.value) return [];
    const { file, section, key } = setting;
    return [{ file, section, key, value: draft }];
  });
}

/** The settings by file and section, in the order in which the manager tells them. */
export function groupsOf(settings: readonly Setting[]): { title: string; settings: Setting[] }[] {
  const groups = new Map<string, Setting[]>();
  for (const setting of settings) {
    const title = titleOf(setting);
    groups.set(title, [...(groups.get(title) ?? []), setting]);
  }
  return [...groups].map(([title, group]) => ({ title, settings: group }));
}

/** `/Script/DuneSandbox.PvpPveSettings` of `UserGame.ini` is `Pvp Pve Settings (UserGame.ini)`. */
function titleOf({ file, section }: Setting): string {
  const name = section.split(/[/.]/).at(-1) ?? section;
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2');
  return `${words} (${file})`;
}
