// One notification channel: what was sent, whether it arrived, and its settings.
import { Alert, Button, Group } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { BellOff, Send, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../api/may.ts';
import { useDocument } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { BackLink } from '../shared/back-link.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { ChannelDialogs } from './channel-dialogs.tsx';
import { ChannelSettings } from './channel-settings.tsx';
import { ChannelState } from './channel-state.tsx';
import { stateOf, type Channel } from './channel.ts';
import { NotificationLog } from './notification-log.tsx';
import classes from './notifications.module.css';

const route = getRouteApi('/frame/licensed/alerts/channels/$channelId');

/** Events do not report messages that arrived. */
const everyMs = 5_000;

export function ChannelPage() {
  const t = useTexts('notifications');
  const { channelId } = route.useParams();
  const asked = useDocument(
    '/api/notifications/channels/{notification_channel_id}',
    { params: { path: { notification_channel_id: channelId } } },
    { every: everyMs },
  );
  return (
    <Loaded isPage asked={asked} waitingFor={t('columns.name')}>
      {({ document, version }) => <Shown channel={document} version={version} />}
    </Loaded>
  );
}

function Shown({ channel, version }: { channel: Channel; version: string }) {
  const t = useTexts('notifications');
  const mayTest = useMay('POST /api/notifications/channels/{notification_channel_id}/test');
  const [asking, setAsking] = useState<'disable' | 'delete' | null>(null);
  const path = { notification_channel_id: channel.id };
  const test = useWrite('POST /api/notifications/channels/{notification_channel_id}/test', {
    refreshes: ['/api/notifications/channels/{notification_channel_id}/notifications'],
  });
  return (
    <Page
      title={channel.name}
      status={<ChannelState channel={channel} />}
      lead={`${t(`kinds.${channel.kind}`)} · ${channel.destination ?? t('state.incomplete')}`}
      above={<BackLink to="/alerts/channels">{t('back')}</BackLink>}
      action={
        mayTest &&
        channel.destination !== null && (
          <Button
            leftSection={<Send size={15} aria-hidden="true" />}
            loading={test.isPending}
            onClick={() => test.mutate({ params: { path } })}
          >
            {t('detail.test')}
          </Button>
        )
      }
    >
      <ProblemAlert error={test.error} />
      <StateNotice channel={channel} />
      <div className={classes.columns}>
        <NotificationLog channelId={channel.id} />
        <ChannelSettings channel={channel} version={version} onAsk={setAsking} />
      </div>
      <ChannelDialogs channel={channel} asking={asking} onClose={() => setAsking(null)} />
    </Page>
  );
}

function StateNotice({ channel }: { channel: Channel }) {
  const t = useTexts('notifications');
  const state = stateOf(channel);
  if (state === 'disabled')
    return (
      <Alert color="yellow" icon={<BellOff size={18} />} title={t('detail.disabledTitle')}>
        {t('detail.disabledLead')}
      </Alert>
    );
  if (state === 'incomplete')
    return (
      <Alert color="yellow" icon={<TriangleAlert size={18} />} title={t('state.incomplete')}>
        {t('detail.noTarget')}
      </Alert>
    );
  if (state === 'failing' && channel.last_error_at !== null)
    return (
      <Alert color="red" icon={<TriangleAlert size={18} />} title={t('detail.lastError')}>
        <Group gap={6}>
          {channel.last_error} <Time at={channel.last_error_at} />
        </Group>
      </Alert>
    );
  return null;
}
