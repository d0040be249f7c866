// The command palette: finds pages, servers and players by name.
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useId, useState } from 'react';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { useMay } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages, useRead } from '../api/reading.ts';
import { isSteamId, matches as matchesPlayer } from '../players/player-search.ts';
import { useTexts } from '../texts/texts.ts';
import { pagesFor } from './navigation.ts';
import classes from './palette.module.css';

interface Choice {
  key: string;
  name: string;
  /** Shown beside the name, such as the host of a server, or the server of a player. */
  detail: string;
  group: 'pages' | 'servers' | 'players';
  open: () => void;
}

const maxServers = 8;
const maxPlayers = 8;
const minPlayerSearch = 2;
/** Longer than the pause between two keys. */
const settleMs = 250;

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
  const players = usePlayerChoices(search, servers.items);
  return [...pages.filter(({ name }) => matches(name)), ...found, ...players];
}

/** Players of the latest sessions by name, and of any session by a complete SteamID. */
function usePlayerChoices(search: string, servers: readonly Schemas['GameInstance'][] = []): Choice[] {
  const me = useMe();
  const navigate = useNavigate();
  const mayList = useMay('GET /api/analytics/sessions');
  const mayOpen = useMay('GET /api/instances/{instance_id}/players/{steam_id}');
  const [settled] = useDebouncedValue(search.trim(), settleMs);
  const { data } = useRead(
    '/api/analytics/sessions',
    { params: { query: { limit: 100, ...(isSteamId(settled) && { steam_id: settled }) } } },
    {
      enabled: mayList && mayOpen && me.license_id !== null && settled.length >= minPlayerSearch,
      keepsFormer: true,
    },
  );
  if (settled.length < minPlayerSearch) return [];
  const known = new Map<string, Choice>();
  for (const { instance_id, steam_id, display_name } of data?.data ?? []) {
    const server = servers.find(({ id }) => id === instance_id);
    const key = `${instance_id}-${steam_id}`;
    // Sessions of deleted servers remain, and their players have no page.
    if (server === undefined || known.has(key) || !matchesPlayer(settled, display_name, steam_id)) continue;
    known.set(key, {
      key,
      name: display_name ?? steam_id,
      detail: server.name,
      group: 'players',
      open: () =>
        void navigate({
          to: '/servers/$instanceId/players/$steamId',
          params: { instanceId: instance_id, steamId: steam_id },
        }),
    });
  }
  // The record of a player exists on each server, also without a session there.
  if (known.size === 0 && isSteamId(settled) && mayOpen)
    return servers.slice(0, maxPlayers).map(({ id, name }) => ({
      key: `${id}-${settled}`,
      name: settled,
      detail: name,
      group: 'players',
      open: () =>
        void navigate({
          to: '/servers/$instanceId/players/$steamId',
          params: { instanceId: id, steamId: settled },
        }),
    }));
  return [...known.values()].slice(0, maxPlayers);
}
