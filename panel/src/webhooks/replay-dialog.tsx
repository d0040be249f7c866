// Sends past events to a webhook again, from a time or from an event on.
import { Checkbox, MultiSelect, Radio, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { faultAt } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { useEventTypes } from '../events/event-types.ts';
import { useEventWords } from '../events/event-words.ts';
import { fromLocalInput, localInput } from '../shared/local-time.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { eventFault } from './event-fault.ts';
import { webhookPaths } from './use-webhook.ts';
import { pointers } from './webhook-fields.tsx';
import type { WebhookDialogProps } from './webhook-dialogs.tsx';
import type { EventPattern } from './webhook.ts';
import classes from './webhooks.module.css';

const dayMs = 86_400_000;

export function ReplayDialog({ webhook, isOpen, onClose }: WebhookDialogProps) {
  const t = useTexts('webhooks');
  const words = useEventWords();
  const { data: types } = useEventTypes(isOpen);
  const [by, setBy] = useState<'time' | 'event'>('time');
  const [from, setFrom] = useState(() => localInput(serverNow() - dayMs));
  const [to, setTo] = useState('');
  const [eventId, setEventId] = useState('');
  const [events, setEvents] = useState<EventPattern[]>([]);
  const [isMissing, setIsMissing] = useState(false);
  const replay = useWrite('POST /api/webhooks/{webhook_id}/replay', {
    refreshes: webhookPaths,
    onDone: onClose,
  });
  const subscribed = (types?.data ?? []).filter(({ type }) => isSubscribed(webhook.events, type));
  const start = () => {
    const begin = fromLocalInput(from);
    const end = fromLocalInput(to);
    if (by === 'time' ? begin === null : eventId.trim() === '') return;
    replay.mutate({
      params: { path: { webhook_id: webhook.id } },
      body: {
        ...(by === 'time' && begin !== null && { from: begin }),
        ...(by === 'event' && { from_event_id: eventId.trim() }),
        ...(end !== null && { to: end }),
        ...(events.length > 0 && { events }),
        only_missing: isMissing,
      },
    });
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('replay.title', { name: webhook.name })}
      action={t('replay.start')}
      isPending={replay.isPending}
      problem={<ProblemAlert error={replay.error} fields={['/from', '/to', '/from_event_id', ...pointers]} />}
      onConfirm={start}
      onClose={onClose}
    >
      <div className={classes.inDialog}>
        <span>{t('replay.lead')}</span>
        <Radio.Group label={t('replay.by')} value={by} onChange={(next) => setBy(next)}>
          <div className={classes.choices}>
            <Radio value="time" label={t('replay.byTime')} />
            <Radio value="event" label={t('replay.byEvent')} />
          </div>
        </Radio.Group>
        {by === 'time' ? (
          <TextInput
            type="datetime-local"
            label={t('replay.from')}
            required
            withAsterisk={false}
            value={from}
            error={faultAt(replay.error, '/from')}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
        ) : (
          <TextInput
            label={t('replay.eventId')}
            required
            withAsterisk={false}
            autoComplete="off"
            spellCheck={false}
            value={eventId}
            error={faultAt(replay.error, '/from_event_id')}
            onChange={(event) => setEventId(event.currentTarget.value)}
          />
        )}
        <TextInput
          type="datetime-local"
          label={t('replay.to')}
          description={t('replay.toHint')}
          value={to}
          error={faultAt(replay.error, '/to')}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <MultiSelect
          label={t('replay.only')}
          placeholder={events.length === 0 ? t('replay.onlyAll') : ''}
          searchable
          value={events}
          error={eventFault(replay.error)}
          data={subscribed.map(({ type }) => ({ value: type, label: words.type(type) }))}
          onChange={(next) => setEvents(next)}
        />
        <Checkbox
          label={t('replay.missing')}
          checked={isMissing}
          onChange={(event) => setIsMissing(event.currentTarget.checked)}
        />
      </div>
    </ConfirmDialog>
  );
}

const isSubscribed = (patterns: readonly string[], type: string): boolean =>
  patterns.some(
    (pattern) =>
      pattern === '*' ||
      pattern === type ||
      (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
