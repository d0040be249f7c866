// The players of a server: who is online, who is known, who is banned, and what was done to them.
import { SegmentedControl } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useMay } from '../api/may.ts';
import { RequestedCommand, useRequested } from '../instance/requested-command.tsx';
import { useTexts } from '../texts/texts.ts';
import { ActionsLog } from './actions-log.tsx';
import { BannedPlayers } from './banned-players.tsx';
import { KnownPlayers } from './known-players.tsx';
import { OnlinePlayers } from './online-players.tsx';
import { PlayerDialog } from './player-dialog.tsx';
import { noFilters, views } from './player-search.ts';
import type { PlayerTask } from './player-task.ts';
import classes from './players.module.css';

const route = getRouteApi('/frame/licensed/servers/$instanceId/players');

const lists = { online: OnlinePlayers, known: KnownPlayers, banned: BannedPlayers, actions: ActionsLog };

export function PlayersPage() {
  const t = useTexts('players');
  const { instanceId } = route.useParams();
  const { view } = route.useSearch();
  const navigate = route.useNavigate();
  const [task, setTask] = useState<PlayerTask | null>(null);
  const requested = useRequested(instanceId);
  const mayListSessions = useMay('GET /api/analytics/sessions');
  const close = useCallback(() => setTask(null), []);
  const List = lists[view];
  return (
    <div className={classes.page}>
      <RequestedCommand {...requested} />
      <SegmentedControl
        className={classes.views ?? ''}
        aria-label={t('views.label')}
        value={view}
        data={views
          .filter((each) => each !== 'known' || mayListSessions)
          .map((value) => ({ value, label: t(`views.${value}`) }))}
        onChange={(next) => void navigate({ search: { ...noFilters, view: next } })}
      />
      <List instanceId={instanceId} onTask={setTask} />
      <PlayerDialog instanceId={instanceId} task={task} onRequested={requested.keep} onClose={close} />
    </div>
  );
}
