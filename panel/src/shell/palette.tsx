// The command palette: finds pages and servers by name.
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useId, useState } from 'react';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { useMay } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import { usePages } from '../api/reading.ts';
import { useTexts } from '../texts/texts.ts';
import { pagesFor } from './navigation.ts';
import classes from './palette.module.css';

interface Choice {
  key: string;
  name: string;
  /** Shown beside the name, such as the host of a server. */
  detail: string;
  group: 'pages' | 'servers';
  open: () => void;
}

const maxServers = 8;

export default function Palette({ onClose }: { onClose: () => void }) {
  const t = useTexts('shell');
  const listId = useId();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(0);
  const choices = useChoices(search);
  const current = choices[Math.min(chosen, choices.length - 1)];
  const open = ({ open: go }: Choice) => {
    onClose();
    go();
  };
  const move = (step: number) =>
    setChosen((now) => (Math.min(now, choices.length - 1) + step + choices.length) % choices.length);
  return (
    <Dialog isOpen title={t('palette.title')} onClose={onClose}>
      <div className={classes.field}>
        <Search size={18} aria-hidden="true" />
        <input
          className={classes.input}
          type="text"
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={current === undefined ? undefined : `${listId}-${current.key}`}
          aria-label={t('palette.placeholder')}
          placeholder={t('palette.placeholder')}
          autoFocus
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') move(1);
            else if (event.key === 'ArrowUp') move(-1);
            else if (event.key === 'Enter' && current !== undefined) open(current);
            else return;
            event.preventDefault();
          }}
        />
      </div>
      <div id={listId} role="listbox" aria-label={t('palette.title')} className={classes.list}>
        {choices.map((choice, index) => (
          <div key={choice.key} role="presentation">
            {choice.group !== choices[index - 1]?.group && (
              <div className={classes.group} role="presentation">
                {t(`palette.${choice.group}`)}
              </div>
            )}
            <div
              id={`${listId}-${choice.key}`}
              role="option"
              aria-selected={choice === current}
              className={classes.choice}
              onMouseMove={() => setChosen(index)}
              onClick={() => open(choice)}
            >
              <span className="cut">{choice.name}</span>
              <span className={classes.detail}>{choice.detail}</span>
            </div>
          </div>
        ))}
      </div>
      {choices.length === 0 && <p className="hint">{t('palette.empty', { search })}</p>}
      <p className={classes.hint}>{t('palette.hint')}</p>
    </Dialog>
  );
}

function useChoices(search: string): Choice[] {
  const t = useTexts('shell');
  const me = useMe();
  const navigate = useNavigate();
  const mayList = useMay('GET /api/fleet/instances');
  const servers = usePages(
    '/api/fleet/instances',
    {},
    { all: true, enabled: mayList && me.license_id !== null },
  );
  const wanted = search.trim().toLowerCase();
  const matches = (...texts: string[]) => texts.some((text) => text.toLowerCase().includes(wanted));
  const pages = [
    ...pagesFor(me).flatMap((group) => group.pages),
    { to: '/account', name: 'account' } as const,
  ].map(({ to, name }): Choice => ({
    key: to,
    name: t(`pages.${name}`),
    detail: '',
    group: 'pages',
    open: () => void navigate({ to }),
  }));
  const found = (servers.items ?? [])
    .filter(({ name, hostname }) => matches(name, hostname))
    .slice(0, maxServers)
    .map(({ id, name, hostname }): Choice => ({
      key: id,
      name,
      detail: hostname,
      group: 'servers',
      open: () => void navigate({ to: '/servers/$instanceId', params: { instanceId: id } }),
    }));
  return [...pages.filter(({ name }) => matches(name)), ...found];
}
