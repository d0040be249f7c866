// Finds an item of the game by its name; servers with modifications have more, so any short name can be typed.
import { Autocomplete } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import type { Item } from './use-items.ts';

interface ItemPickerProps {
  items: ReadonlyMap<string, Item>;
  label: string;
  onPick: (shortname: string) => void;
}

const maxOptions = 40;
const separator = ' · ';

export function ItemPicker({ items, label, onPick }: ItemPickerProps) {
  const t = useTexts('plugin-configs');
  const [text, setText] = useState('');
  const options = useMemo(
    () => [...items.values()].map(({ name, shortname }) => `${name}${separator}${shortname}`),
    [items],
  );
  const pick = (chosen: string) => {
    const shortname = chosen.includes(separator) ? (chosen.split(separator).at(-1) ?? '') : chosen.trim();
    if (shortname !== '') onPick(shortname);
    // The list sets the text to the chosen option first.
    setTimeout(() => setText(''));
  };
  return (
    <Autocomplete
      aria-label={label}
      placeholder={t('parts.addItem')}
      leftSection={<Plus size={15} aria-hidden="true" />}
      data={options}
      limit={maxOptions}
      value={text}
      maxDropdownHeight={280}
      onChange={setText}
      onOptionSubmit={pick}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || text.trim() === '') return;
        event.preventDefault();
        // A marked option is submitted by the list itself.
        if (event.currentTarget.getAttribute('aria-activedescendant') === null) pick(matching(text, items));
      }}
    />
  );
}

/** A typed name of the game stands for its item. */
function matching(text: string, items: ReadonlyMap<string, Item>): string {
  const wanted = text.trim().toLowerCase();
  const found = [...items.values()].find(({ name }) => name.toLowerCase() === wanted);
  return found?.shortname ?? text.trim();
}
