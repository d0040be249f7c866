// Names of settings for people, made of the contract's names: `max_delay_seconds` is "Max delay" in seconds.
const units = ['seconds', 'minutes', 'hours', 'percent'] as const;

export type Unit = (typeof units)[number];

export interface SettingName {
  name: string;
  unit: Unit | null;
}

/** Abbreviations keep their form. */
const abbreviations: Readonly<Record<string, string>> = {
  id: 'ID',
  npc: 'NPC',
  npcs: 'NPCs',
  pve: 'PvE',
  pvp: 'PvP',
  tp: 'TP',
  tpa: 'TPA',
  tpb: 'TPB',
  tpr: 'TPR',
  tpt: 'TPT',
  ui: 'UI',
  url: 'URL',
  vip: 'VIP',
  bbq: 'BBQ',
};

export function settingName(field: string): SettingName {
  const unit = units.find((each) => field.endsWith(`_${each}`)) ?? null;
  const stem = unit === null ? field : field.slice(0, -unit.length - 1);
  const words = stem.split('_').map((word) => abbreviations[word] ?? word);
  const name = words.join(' ');
  return { name: name.charAt(0).toUpperCase() + name.slice(1), unit };
}
