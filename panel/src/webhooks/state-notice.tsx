// What keeps events from arriving at a webhook, and the progress of a replay.
import { Alert, Group, Loader } from '@mantine/core';
import { CircleSlash, TriangleAlert } from 'lucide-react';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { useFormats } from '../shared/formats.ts';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { stateOf, type Webhook } from './webhook.ts';

export function StateNotice({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <Obstacle webhook={webhook} />
      <Replay webhook={webhook} />
    </>
  );
}

function Obstacle({ webhook }: { webhook: Webhook }) {
  const t = useTexts('webhooks');
  const formats = useFormats();
  const state = stateOf(webhook);
  if (state === 'unreadable')
    return (
      <Alert color="red" icon={<TriangleAlert size={18} />} title={t('notices.unreadable')}>
        {t('notices.unreadableDetail')}
      </Alert>
    );
  if (state === 'stopped')
    return (
      <Alert color="red" icon={<TriangleAlert size={18} />} title={t('notices.stopped')}>
        {webhook.disabled_reason !== null && <p className="sentence">{webhook.disabled_reason}</p>}
        {webhook.disabled_at !== null &&
          t('notices.stoppedAt', { date: formats.dateTime(webhook.disabled_at) })}
      </Alert>
    );
  if (state === 'disabled')
    return (
      <Alert color="yellow" icon={<CircleSlash size={18} />} title={t('notices.disabled')}>
        {t('notices.disabledDetail')}
      </Alert>
    );
  return null;
}

/** The log of deliveries shows the outcome. */
const shownForMs = 30 * 60_000;

function Replay({ webhook: { replay } }: { webhook: Webhook }) {
  const t = useTexts('webhooks');
  if (replay === null) return null;
  const count = replay.queued_count;
  if (replay.finished_at === null)
    return (
      <Alert color="blue" icon={<Loader size={16} />} role="status">
        {t('notices.replaying', { count })}
      </Alert>
    );
  if (serverNow() - Date.parse(replay.finished_at) > shownForMs) return null;
  return (
    <Group gap={6} className="hint" role="status">
      {replay.status === 'cancelled'
        ? t('notices.replayCancelled', { count })
        : t('notices.replayed', { count })}
      <Time at={replay.finished_at} />
    </Group>
  );
}
