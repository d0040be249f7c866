// The console of a server: its lines, a search, a filter, and a line for commands.
import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, Download, ListX, Search } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ConsoleLine } from '@gantry/ui/console-line.ts';
import { ConsoleLines } from '@gantry/ui/console-lines.tsx';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import { useInstance } from '../instance/use-instance.ts';
import { saveText } from '../shared/save-text.ts';
import { useTexts } from '../texts/texts.ts';
import { CommandInput } from './command-input.tsx';
import type { ConsoleFeed, FeedStatus } from './console-feed.ts';
import { EarlierLines } from './earlier-lines.tsx';
import { isOf } from './line-view.ts';
import classes from './console-page.module.css';
import { useConsole } from './use-console.ts';

const from = '/frame/licensed/servers/$instanceId/console';

const tones: Record<FeedStatus, Tone> = { connecting: 'busy', live: 'good', lost: 'busy', closed: 'bad' };

export function ConsolePage() {
  const t = useTexts('instance');
  const { instanceId } = useParams({ from });
  const { stream } = useSearch({ from });
  const navigate = useNavigate({ from: '/servers/$instanceId/console' });
  const { data: instance } = useInstance();
  const [search, setSearch] = useState('');
  /** The key of the line with the chosen match. */
  const [chosen, setChosen] = useState<ConsoleLine['key'] | null>(null);
  const opened = useConsole(instanceId, { stream, search });
  const feed = opened?.feed ?? null;
  const { matches, shown } = opened?.view ?? nothingShown;
  const step = (by: number) => {
    const keys = matches.map((position) => shown[position]?.key);
    const former = chosen === null ? -1 : keys.indexOf(chosen);
    const start = former === -1 && by < 0 ? keys.length : former;
    setChosen(keys[(start + by + keys.length) % keys.length] ?? null);
  };
  const [isSearching, setIsSearching] = useState(false);
  const wanted = useRef(search);
  wanted.current = search;
  const searchEarlier = async () => {
    setIsSearching(true);
    const found = await feed?.findEarlier(
      (line) => isOf(line, stream) && line.text.toLowerCase().includes(search.toLowerCase()),
    );
    setIsSearching(false);
    if (found !== undefined && wanted.current === search) setChosen(found);
  };
  return (
    <div className={classes.console}>
      <div className={classes.bar}>
        <TextInput
          type="search"
          className={classes.search ?? ''}
          aria-label={t('console.search')}
          placeholder={t('console.search')}
          leftSection={<Search size={16} aria-hidden="true" />}
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            setChosen(null);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') step(event.shiftKey ? 1 : -1);
          }}
        />
        {search !== '' && (
          <span className={classes.matches}>
            <span role="status">{t('console.matches', { count: matches.length })}</span>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t('console.previous')}
              onClick={() => step(-1)}
            >
              <ArrowUp size={16} />
            </ActionIcon>
            <ActionIcon variant="default" size="lg" aria-label={t('console.next')} onClick={() => step(1)}>
              <ArrowDown size={16} />
            </ActionIcon>
            {feed !== null && feed.earlier !== 'none' && !feed.isFull && (
              <Button variant="default" loading={isSearching} onClick={() => void searchEarlier()}>
                {t('console.searchEarlier')}
              </Button>
            )}
          </span>
        )}
        <NativeSelect
          aria-label={t('console.streams')}
          value={stream}
          data={[
            { value: '', label: t('console.all') },
            ...(['stdout', 'stderr', 'input', 'system'] as const).map((value) => ({
              value,
              label: t(`console.${value}`),
            })),
          ]}
          onChange={(event) =>
            void navigate({ search: { stream: event.currentTarget.value as typeof stream }, replace: true })
          }
        />
        <div className={classes.end}>
          {feed !== null && <Status feed={feed} isOffline={instance?.state === 'offline'} />}
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('console.save')}
            title={t('console.save')}
            onClick={() => saveText(`${instance?.name ?? 'console'}.log`, textOf(feed))}
          >
            <Download size={16} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('console.clear')}
            title={t('console.clear')}
            onClick={() => feed?.clear()}
          >
            <ListX size={16} />
          </ActionIcon>
        </div>
      </div>
      <div className={classes.lines}>
        <ConsoleLines
          lines={shown}
          dropped={feed?.dropped ?? 0}
          label={t('console.label')}
          placeholder={t('console.placeholder')}
          search={search}
          {...(feed !== null && {
            notice: <EarlierLines feed={feed} />,
            onStart: () => void feed.loadEarlier(),
          })}
          {...(chosen !== null && { current: chosen })}
        />
      </div>
      {feed?.mayInput === true ? (
        <CommandInput
          key={instanceId}
          instanceId={instanceId}
          isDisabled={feed.status !== 'live' || instance?.state !== 'running'}
          onSend={(line) => feed.send(line)}
        />
      ) : (
        feed?.status === 'live' && <p className="hint">{t('console.mayNot')}</p>
      )}
      {feed?.mayInput === true && instance !== undefined && instance.state !== 'running' && (
        <p className="hint">{t('console.notRunning')}</p>
      )}
    </div>
  );
}

interface StatusProps {
  feed: ConsoleFeed;
  /** Whether nothing arrives because the server's host is away. */
  isOffline: boolean;
}

function Status({ feed: { status, closeReason }, isOffline }: StatusProps) {
  const t = useTexts('instance');
  if (isOffline && status === 'live')
    return (
      <span role="status">
        <StateText tone="idle">{t('console.offline')}</StateText>
      </span>
    );
  return (
    <span role="status">
      <StateText tone={tones[status]}>
        {status === 'closed' ? t('console.ended', { reason: closeReason }) : t(`console.${status}`)}
      </StateText>
    </span>
  );
}

const nothingShown = { matches: [], shown: [] };

const textOf = (feed: ConsoleFeed | null): string =>
  (feed?.lines ?? []).map(({ at, stream, text }) => `${at} ${stream} ${text}\n`).join('');
