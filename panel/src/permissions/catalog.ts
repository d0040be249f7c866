// All permissions by area, in words and in the order of the menu.
import { useMemo } from 'react';
import { useRead } from '../api/reading.ts';
import { useTexts } from '../texts/texts.ts';
import type permissions from '../texts/en/permissions.json';
import { areaOf, type Permission } from './permission-map.ts';

type GroupName = keyof (typeof permissions)['groups'];
type AreaName = keyof (typeof permissions)['areas'];

/** Areas that this version does not know stand in the last group. */
const groups: Readonly<Record<GroupName, readonly AreaName[]>> = {
  operate: [
    'fleet',
    'instances',
    'console',
    'commands',
    'players',
    'files',
    'plugins',
    'pluginconfigs',
    'maps',
    'backups',
    'wipes',
    'schedules',
    'clusters',
  ],
  insight: ['alerts', 'notifications', 'analytics', 'events'],
  sell: ['webstore', 'modules'],
  manage: ['team', 'roles', 'apikeys', 'webhooks', 'audit', 'siteconfig', 'license', 'migration', 'sandbox'],
};

export interface PermissionInWords {
  permission: Permission;
  /** What it allows, in one or two words. */
  action: string;
  /** One sentence about what it allows. */
  description: string;
}

export interface Area {
  area: string;
  name: string;
  permissions: readonly PermissionInWords[];
}

export interface AreaGroup {
  key: GroupName;
  name: string;
  areas: readonly Area[];
}

/** The catalogue as a query, in words of the panel's language. */
export function useCatalog() {
  const t = useTexts('permissions');
  const asked = useRead('/api/permissions');
  const entries = asked.data?.data;
  const data = useMemo((): AreaGroup[] | undefined => {
    if (entries === undefined) return undefined;
    const found = [...new Set(entries.map(({ permission }) => areaOf(permission)))];
    const known = Object.values(groups).flat() as readonly string[];
    const areaFor = (area: string): Area => ({
      area,
      name: t(`areas.${area as AreaName}`, { defaultValue: area }),
      permissions: entries
        .filter(({ permission }) => areaOf(permission) === area)
        .map(({ permission, description }) => ({
          permission,
          action: t(`actions.${permission.slice(area.length + 1) as 'view'}`, { defaultValue: permission }),
          // The platform describes permissions in English.
          description: t(`what.${permission}`, { defaultValue: description }),
        }))
        .sort((one, other) => viewFirst(one.permission) - viewFirst(other.permission)),
    });
    return (Object.keys(groups) as GroupName[]).map((key) => {
      const listed = groups[key].filter((area) => found.includes(area)) as readonly string[];
      const rest = key === 'manage' ? found.filter((area) => !known.includes(area)) : [];
      return { key, name: t(`groups.${key}`), areas: [...listed, ...rest].map(areaFor) };
    });
  }, [entries, t]);
  return { ...asked, data };
}

const viewFirst = (permission: string): number => (permission.endsWith('.view') ? 0 : 1);

export const permissionsIn = (catalog: readonly AreaGroup[]): readonly PermissionInWords[] =>
  catalog.flatMap(({ areas }) => areas.flatMap(({ permissions }) => permissions));
