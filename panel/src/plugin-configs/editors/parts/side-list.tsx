// A list of entries at the side, one of which is edited beside it.
import { TextInput, UnstyledButton } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import classes from './parts.module.css';

export interface SideEntry {
  key: string;
  name: string;
  /** Under which heading it stands. */
  group?: string;
  /** Beside the name, such as how many items it has. */
  aside?: string;
  isDim?: boolean;
}

interface SideListProps {
  label: string;
  entries: readonly SideEntry[];
  chosen: string | null;
  onChoose: (key: string) => void;
  /** Below the list, such as a field for a new entry. */
  foot?: ReactNode;
  children: ReactNode;
}

const maxUnsearched = 10;

export function SideList({ label, entries, chosen, onChoose, foot, children }: SideListProps) {
  const t = useTexts('plugin-configs');
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const shown = entries.filter(({ key, name }) => `${name} ${key}`.toLowerCase().includes(wanted));
  const groups = [...new Set(shown.map(({ group = '' }) => group))];
  return (
    <div className={classes.split}>
      <div className={classes.side}>
        {entries.length > maxUnsearched && (
          <TextInput
            aria-label={t('parts.searchIn', { name: label })}
            placeholder={t('parts.search')}
            leftSection={<Search size={15} aria-hidden="true" />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        <div className={classes.sideList} role="group" aria-label={label} tabIndex={0}>
          {groups.map((group) => (
            <div key={group}>
              {group !== '' && <p className={classes.sideGroup}>{group}</p>}
              {shown
                .filter((entry) => (entry.group ?? '') === group)
                .map(({ key, name, aside, isDim = false }) => (
                  <UnstyledButton
                    key={key}
                    className={classes.sideEntry ?? ''}
                    aria-pressed={key === chosen}
                    data-dim={isDim || undefined}
                    onClick={() => onChoose(key)}
                  >
                    <span className="cut">{name}</span>
                    {aside !== undefined && <span className={classes.sideAside}>{aside}</span>}
                  </UnstyledButton>
                ))}
            </div>
          ))}
        </div>
        {foot}
      </div>
      <div className={classes.main}>{children}</div>
    </div>
  );
}
