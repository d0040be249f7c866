// One player of a server: what is in force, how much they played, and what was done to them.
import { Alert, Button, Group, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Ban, ExternalLink, TriangleAlert } from 'lucide-react';
import { useCallback, useState } from 'react';
import { CopyText } from '@gantry/ui/copy-text.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages, useRead } from '../api/reading.ts';
import { RequestedCommand, useRequested } from '../instance/requested-command.tsx';
import { BackLink } from '../shared/back-link.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { PlayerDialog } from './player-dialog.tsx';
import { icons, useMayManagePlayers } from './player-menu.tsx';
import { PlayerNotes } from './player-notes.tsx';
import { actionKinds, isSteamId } from './player-search.ts';
import { PlayerSessions } from './player-sessions.tsx';
import type { PlayerTask } from './player-task.ts';
import { RecordedActions } from './recorded-actions.tsx';
import classes from './players.module.css';
import { useOnline } from './use-online.ts';

type PlayerRecord = Schemas['PlayerRecord'];

const route = getRouteApi('/frame/licensed/servers/$instanceId/players/$steamId');

export function PlayerPage() {
  const t = useTexts('players');
  const { instanceId, steamId } = route.useParams();
  const asked = useRead(
    '/api/instances/{instance_id}/players/{steam_id}',
    { params: { path: { instance_id: instanceId, steam_id: steamId } } },
    { enabled: isSteamId(steamId) },
  );
  return (
    <div className={classes.page}>
      <BackLink to="/servers/$instanceId/players">{t('record.back')}</BackLink>
      {isSteamId(steamId) ? (
        <Loaded asked={asked} waitingFor={t('record.title')}>
          {(record) => <Shown record={record} />}
        </Loaded>
      ) : (
        <EmptyState icon={TriangleAlert} title={t('record.noSteamIdTitle')}>
          {t('record.noSteamId')}
        </EmptyState>
      )}
    </div>
  );
}

/** The name from the list of online players, or else from the latest session. */
function useName(instanceId: string, steamId: string) {
  const mayListSessions = useMay('GET /api/analytics/sessions');
  const online = useOnline(instanceId).data?.data.find(({ steam_id }) => steam_id === steamId);
  const latest = usePages(
    '/api/analytics/sessions',
    { params: { query: { instance_id: instanceId, steam_id: steamId } } },
    { limit: 1, enabled: mayListSessions },
  );
  const [lastName, setLastName] = useState<string | null>(null);
  const name = online?.name ?? latest.items?.[0]?.display_name ?? lastName;
  // A player who was kicked or banned is no longer in the list.
  if (name !== lastName) setLastName(name);
  return { name, online, latest: latest.items?.[0] };
}

function Shown({ record }: { record: PlayerRecord }) {
  const t = useTexts('players');
  const { instance_id: instanceId, steam_id: steamId } = record;
  const { name, online, latest } = useName(instanceId, steamId);
  const [task, setTask] = useState<PlayerTask | null>(null);
  const requested = useRequested(instanceId);
  const mayListSessions = useMay('GET /api/analytics/sessions');
  const close = useCallback(() => setTask(null), []);
  return (
    <>
      <RequestedCommand {...requested} />
      <header className={classes.who}>
        <div className={classes.titles}>
          <Title order={2} size="h3">
            {name ?? steamId}
          </Title>
          {online !== undefined && <StateText tone="good">{t('state.online')}</StateText>}
          {record.ban !== null && <StateText tone="bad">{t('state.banned')}</StateText>}
        </div>
        <PlayerButtons
          record={record}
          isOnline={online !== undefined}
          onChoose={(kind) => setTask({ kind, steamId, name: name ?? steamId })}
        />
      </header>
      <Bans record={record} />
      <div className={classes.columns}>
        <About record={record} online={online} latest={latest} />
        <RecordedActions record={record} />
      </div>
      <PlayerNotes instanceId={instanceId} steamId={steamId} />
      {mayListSessions && <PlayerSessions instanceId={instanceId} steamId={steamId} />}
      <PlayerDialog instanceId={instanceId} task={task} onRequested={requested.keep} onClose={close} />
    </>
  );
}

interface PlayerButtonsProps {
  record: PlayerRecord;
  isOnline: boolean;
  onChoose: (kind: PlayerTask['kind']) => void;
}

function PlayerButtons({ record, isOnline, onChoose }: PlayerButtonsProps) {
  const t = useTexts('players');
  const mayManage = useMayManagePlayers();
  if (!mayManage) return null;
  const isBanned = record.ban !== null;
  const kinds: readonly PlayerTask['kind'][] = [
    ...(isOnline ? (['message', 'kick'] as const) : []),
    ...(isBanned || record.uncertain_ban !== null ? (['unban'] as const) : []),
    ...(isBanned ? [] : (['ban'] as const)),
  ];
  return (
    <Group gap="xs" role="group" aria-label={t('columns.actions')}>
      {kinds.map((kind) => {
        const Icon = icons[kind];
        return (
          <Button
            key={kind}
            variant="default"
            leftSection={<Icon size={15} aria-hidden="true" />}
            onClick={() => onChoose(kind)}
          >
            {t(`do.${kind}`)}
          </Button>
        );
      })}
    </Group>
  );
}

function Bans({ record: { ban, uncertain_ban: uncertain } }: { record: PlayerRecord }) {
  const t = useTexts('players');
  const formats = useFormats();
  return (
    <>
      {ban !== null && (
        <Alert
          color="red"
          icon={<Ban size={18} />}
          title={
            ban.until === null
              ? t('record.bannedForever')
              : t('record.bannedUntil', { time: formats.dateTime(ban.until) })
          }
        >
          {ban.text} <span className="dim">· {ban.requested_by ?? t('bySystem')}</span>
        </Alert>
      )}
      {uncertain !== null && (
        <Alert color="yellow" icon={<TriangleAlert size={18} />} title={t('record.uncertainTitle')}>
          {t('record.uncertain', { time: formats.dateTime(uncertain.created_at) })}
        </Alert>
      )}
    </>
  );
}

interface AboutProps {
  record: PlayerRecord;
  online: Schemas['OnlinePlayer'] | undefined;
  latest: Schemas['PlayerSession'] | undefined;
}

function About({ record: { steam_id: steamId, counts }, online, latest }: AboutProps) {
  const t = useTexts('players');
  const formats = useFormats();
  const done = actionKinds.filter((kind) => counts[kind] > 0);
  return (
    <Section title={t('record.title')}>
      <Facts
        facts={[
          [
            t('columns.steamId'),
            <Group key="id" gap="xs">
              <span className="mono">{steamId}</span>
              <CopyText text={steamId}>{t('record.copy')}</CopyText>
            </Group>,
          ],
          [
            t('record.steam'),
            <a
              key="steam"
              className={classes.outside}
              href={`https://steamcommunity.com/profiles/${steamId}`}
              target="_blank"
              rel="noreferrer"
            >
              {t('record.steamProfile')} <ExternalLink size={13} aria-hidden="true" />
            </a>,
          ],
          ...(online === undefined
            ? [
                [
                  t('columns.lastSeen'),
                  latest === undefined ? null : <Time key="seen" at={latest.ended_at ?? latest.started_at} />,
                ] as const,
              ]
            : [
                [t('columns.connected'), formats.duration(online.connected_seconds)] as const,
                [
                  t('columns.ping'),
                  formats.number(online.ping_ms, {
                    style: 'unit',
                    unit: 'millisecond',
                    unitDisplay: 'short',
                  }),
                ] as const,
              ]),
          ...(done.length === 0
            ? []
            : [
                [
                  t('record.counts'),
                  done.map((kind) => t(`counts.${kind}`, { count: counts[kind] })).join(' · '),
                ] as const,
              ]),
        ]}
      />
    </Section>
  );
}
