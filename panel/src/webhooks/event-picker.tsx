// Chooses the events of a webhook: everything, whole areas, or single types.
import { Checkbox, TextInput, UnstyledButton } from '@mantine/core';
import { ChevronDown, ChevronRight, Search } from 'lucide-react';
import { useId, useState } from 'react';
import { useAreas, useEventTypes, type EventArea, type EventTypeEntry } from '../events/event-types.ts';
import { useEventWords } from '../events/event-words.ts';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import type { EventPattern } from './webhook.ts';
import classes from './webhooks.module.css';

interface EventPickerProps {
  chosen: readonly EventPattern[];
  error: string | undefined;
  onChange: (chosen: EventPattern[]) => void;
}

export function EventPicker(props: EventPickerProps) {
  const t = useTexts('webhooks');
  const asked = useEventTypes();
  return (
    <Loaded asked={asked} waitingFor={t('newPage.what')}>
      {({ data }) => <Choices {...props} entries={data} />}
    </Loaded>
  );
}

function Choices({
  chosen,
  error,
  onChange,
  entries,
}: EventPickerProps & { entries: readonly EventTypeEntry[] }) {
  const t = useTexts('webhooks');
  const words = useEventWords();
  const areas = useAreas(entries);
  const [search, setSearch] = useState('');
  const errorId = useId();
  const wanted = search.trim().toLowerCase();
  const matches = ({ type }: EventTypeEntry, area: string) =>
    [type, words.type(type), words.area(area)].some((text) => text.toLowerCase().includes(wanted));
  const shown = areas
    .map(({ name, types }) => ({ name, types: types.filter((entry) => matches(entry, name)) }))
    .filter(({ types }) => types.length > 0);
  const isAll = chosen.includes('*');
  const toggle = (patterns: readonly EventPattern[], isOn: boolean, without: readonly string[] = []) =>
    onChange([
      ...chosen.filter((each) => !patterns.includes(each) && !without.includes(each)),
      ...(isOn ? patterns : []),
    ]);
  return (
    <div className={classes.picker} role="group" aria-label={t('newPage.what')} aria-describedby={errorId}>
      <p className="hint">{t('picker.lead')}</p>
      <Checkbox
        label={t('picker.everything')}
        description={t('picker.everythingHint')}
        checked={isAll}
        disabled={!isAll && entries.some(({ can_read }) => !can_read)}
        onChange={(event) => onChange(event.currentTarget.checked ? ['*'] : [])}
      />
      {!isAll && (
        <>
          <TextInput
            type="search"
            aria-label={t('picker.search')}
            placeholder={t('picker.search')}
            leftSection={<Search size={16} aria-hidden="true" />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          {shown.length === 0 && <p className="hint">{t('picker.noMatch')}</p>}
          <ul className={classes.areas}>
            {shown.map((area) => (
              <Area key={area.name} area={area} chosen={chosen} isSearching={wanted !== ''} toggle={toggle} />
            ))}
          </ul>
        </>
      )}
      <p id={errorId} className={classes.fault} role="status">
        {error ?? ''}
      </p>
    </div>
  );
}

interface AreaProps {
  area: EventArea;
  chosen: readonly EventPattern[];
  isSearching: boolean;
  toggle: (patterns: readonly EventPattern[], isOn: boolean, without?: readonly string[]) => void;
}

function Area({ area: { name, types }, chosen, isSearching, toggle }: AreaProps) {
  const t = useTexts('webhooks');
  const words = useEventWords();
  const listId = useId();
  // Patterns are made of the areas of the catalogue, which the compiler cannot follow.
  const pattern = `${name}.*` as EventPattern;
  const isWhole = chosen.includes(pattern);
  const single = types.filter(({ type }) => chosen.includes(type));
  const [isOpened, setIsOpened] = useState(single.length > 0);
  const isOpen = isOpened || isSearching;
  const mayRead = types.every(({ can_read }) => can_read);
  return (
    <li className={classes.area}>
      <div className={classes.areaHead}>
        <Checkbox
          label={words.area(name)}
          checked={isWhole}
          indeterminate={!isWhole && single.length > 0}
          disabled={!mayRead && !isWhole}
          onChange={(event) =>
            toggle(
              [pattern],
              event.currentTarget.checked,
              chosen.filter((each) => each.startsWith(`${name}.`)),
            )
          }
        />
        <code className="dim">{pattern}</code>
        <UnstyledButton
          className={classes.more ?? ''}
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-label={t('picker.show', {
            types: t('picker.some', { count: types.length }),
            area: words.area(name),
          })}
          onClick={() => setIsOpened(!isOpened)}
        >
          {t('picker.some', { count: types.length })}
          {isOpen ? (
            <ChevronDown size={15} aria-hidden="true" />
          ) : (
            <ChevronRight size={15} aria-hidden="true" />
          )}
        </UnstyledButton>
      </div>
      {!mayRead && <p className="hint">{t('picker.noRight')}</p>}
      <ul id={listId} className={classes.types} hidden={!isOpen}>
        {types.map(({ type, can_read }) => (
          <li key={type}>
            <Checkbox
              label={words.type(type)}
              description={<code>{type}</code>}
              checked={isWhole || chosen.includes(type)}
              disabled={isWhole || (!can_read && !chosen.includes(type))}
              onChange={(event) => toggle([type], event.currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
    </li>
  );
}
