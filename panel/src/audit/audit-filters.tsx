// The filters of the audit log, kept in the address.
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { X } from 'lucide-react';
import { useCallback } from 'react';
import { FilterBar } from '../shared/filter-bar.tsx';
import { useTexts } from '../texts/texts.ts';
import type audit from '../texts/en/audit.json';
import { actions, ranges, type AuditSearch, type SetSearch } from './audit-search.ts';
import classes from './audit.module.css';

export interface ActorGroup {
  group: string;
  items: readonly { value: string; label: string }[];
}

interface AuditFiltersProps {
  search: AuditSearch;
  set: SetSearch;
  actors: readonly ActorGroup[];
  /** What is known of the chosen actor, who may be none of those. */
  actorLabel: string | null;
  /** The name of the chosen license, or its ID. */
  licenseLabel: string;
}

type TypeName = keyof (typeof audit)['types'];

export function AuditFilters({ search, set, actors, actorLabel, licenseLabel }: AuditFiltersProps) {
  const t = useTexts('audit');
  const { actor, action, type, range, from, to, operation, license } = search;
  const types = Object.entries(t('types', { returnObjects: true }))
    .map(([value, label]) => ({ value: value as TypeName, label }))
    .sort((one, other) => one.label.localeCompare(other.label));
  const known = actors.filter(({ items }) => items.length > 0);
  const isKnown = known.some(({ items }) => items.some(({ value }) => value === actor));
  const setTarget = useCallback((target: string) => set({ target }), [set]);
  const chips = [
    { key: 'operation', value: operation, text: t('filters.operation', { value: operation }) },
    { key: 'license', value: license, text: t('filters.license', { value: licenseLabel }) },
    {
      key: 'actor',
      value: isKnown ? '' : actor,
      text: t('filters.actorIs', { value: actorLabel ?? actor }),
    },
  ].filter(({ value }) => value !== '');
  return (
    <>
      <FilterBar search={search.target} onSearch={setTarget} placeholder={t('search')}>
        {known.length > 0 && (
          <NativeSelect
            aria-label={t('filters.actor')}
            className={classes.select ?? ''}
            value={isKnown ? actor : ''}
            data={[
              { value: '', label: t('filters.anyActor') },
              ...known.map(({ group, items }) => ({ group, items: [...items] })),
            ]}
            onChange={(event) => set({ actor: event.currentTarget.value })}
          />
        )}
        <NativeSelect
          aria-label={t('filters.action')}
          value={action}
          data={[
            { value: '', label: t('filters.anyAction') },
            ...actions.map((value) => ({ value, label: t(`actions.${value}`) })),
          ]}
          onChange={(event) => set({ action: event.currentTarget.value as AuditSearch['action'] })}
        />
        <NativeSelect
          aria-label={t('filters.type')}
          className={classes.select ?? ''}
          value={type}
          data={[{ value: '', label: t('filters.anyType') }, ...types]}
          onChange={(event) => set({ type: event.currentTarget.value })}
        />
        <NativeSelect
          aria-label={t('filters.range')}
          value={range}
          data={ranges.map((value) => ({ value, label: t(`filters.ranges.${value}`) }))}
          onChange={(event) => set({ range: event.currentTarget.value as AuditSearch['range'] })}
        />
        {range === 'custom' && (
          <>
            <TextInput
              type="datetime-local"
              aria-label={t('filters.from')}
              value={from}
              onChange={(event) => set({ from: event.currentTarget.value })}
            />
            <TextInput
              type="datetime-local"
              aria-label={t('filters.to')}
              value={to}
              onChange={(event) => set({ to: event.currentTarget.value })}
            />
          </>
        )}
      </FilterBar>
      {chips.length > 0 && (
        <div className={classes.chips}>
          {chips.map(({ key, text }) => (
            <Button
              key={key}
              size="compact-sm"
              variant="light"
              rightSection={<X size={14} aria-hidden="true" />}
              aria-label={t('filters.remove', { filter: text })}
              onClick={() => set({ [key]: '' })}
            >
              <span className="cut">{text}</span>
            </Button>
          ))}
        </div>
      )}
    </>
  );
}
