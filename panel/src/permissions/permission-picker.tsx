// Grants permissions: by area with an explanation of each, whole areas, or everything.
import { Button, Checkbox, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { hasPermission } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import { useTexts } from '../texts/texts.ts';
import { permissionsIn, type Area, type AreaGroup } from './catalog.ts';
import { PermissionCount } from './permission-count.tsx';
import { grantedEntries, type PermissionMap } from './permission-map.ts';
import { PermissionArea } from './permission-area.tsx';
import classes from './permissions.module.css';

interface PermissionPickerProps {
  catalog: readonly AreaGroup[];
  value: PermissionMap;
  onChange: (value: PermissionMap) => void;
  /** Permissions that no caller can grant here. */
  never?: readonly string[];
}

export function PermissionPicker({ catalog, value, onChange, never = [] }: PermissionPickerProps) {
  const t = useTexts('permissions');
  const { permissions: held } = useMe();
  const [search, setSearch] = useState('');
  const shown = matching(catalog, search);
  const views = permissionsIn(catalog)
    .map(({ permission }) => permission)
    .filter((permission) => permission.endsWith('.view') && hasPermission(held, permission))
    .filter((permission) => !hasPermission(value, permission));
  const set = (entries: readonly string[]) => onChange(mapOf(entries));
  return (
    <div className={classes.picker} role="group" aria-label={t('title')}>
      <div className={classes.tools}>
        <TextInput
          type="search"
          className={classes.search ?? ''}
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<Search size={16} aria-hidden="true" />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {views.length > 0 && (
          <Button variant="default" onClick={() => set([...grantedEntries(value), ...views])}>
            {t('viewAll')}
          </Button>
        )}
        {grantedEntries(value).length > 0 && (
          <Button variant="subtle" color="gray" onClick={() => set([])}>
            {t('clear')}
          </Button>
        )}
        <span className={classes.count} role="status">
          <PermissionCount permissions={value} />
        </span>
      </div>
      {held['*'] === true && search === '' && (
        <Checkbox
          className={classes.everything ?? ''}
          label={t('everything')}
          description={t('everythingHint')}
          checked={value['*'] === true}
          onChange={(event) => set(event.currentTarget.checked ? ['*'] : [])}
        />
      )}
      {shown.length === 0 && <p className="hint">{t('noMatch', { search })}</p>}
      {shown.map(({ key, name, areas }) => (
        <div key={key} className={classes.group}>
          <p className={classes.groupName}>{name}</p>
          {areas.map((area) => (
            <PermissionArea key={area.area} area={area} value={value} never={never} onChange={set} />
          ))}
        </div>
      ))}
    </div>
  );
}

const mapOf = (entries: readonly string[]): PermissionMap =>
  Object.fromEntries(entries.toSorted().map((entry) => [entry, true]));

function matching(catalog: readonly AreaGroup[], search: string): AreaGroup[] {
  const wanted = search.trim().toLowerCase();
  const has = (...texts: string[]) => texts.some((text) => text.toLowerCase().includes(wanted));
  const within = (area: Area): Area => ({
    ...area,
    permissions: has(area.name)
      ? area.permissions
      : area.permissions.filter(({ permission, action, description }) =>
          has(permission, action, description),
        ),
  });
  return catalog
    .map((group) => ({
      ...group,
      areas: group.areas.map(within).filter(({ permissions }) => permissions.length > 0),
    }))
    .filter(({ areas }) => areas.length > 0);
}
