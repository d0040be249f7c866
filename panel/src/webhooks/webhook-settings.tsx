// The settings of a webhook, edited in place.
import { Badge, Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import { hasCode } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { useEventWords } from '../events/event-words.ts';
import { Conflict } from '../shared/conflict.tsx';
import { tagOf, useDraft } from '../shared/draft.ts';
import { Form } from '../shared/form.tsx';
import { Time } from '../shared/time.tsx';
import { UnsavedGuard } from '../shared/unsaved-guard.tsx';
import { useTexts } from '../texts/texts.ts';
import { eventFault } from './event-fault.ts';
import { EventPicker } from './event-picker.tsx';
import { useWebhook, webhookPaths } from './use-webhook.ts';
import { pointers, WebhookFields } from './webhook-fields.tsx';
import type { EventPattern, Webhook } from './webhook.ts';
import classes from './webhooks.module.css';

export function WebhookSettings() {
  const { data } = useWebhook();
  const mayChange = useMay('PATCH /api/webhooks/{webhook_id}');
  // The frame has read it already.
  if (data === undefined) return null;
  return mayChange ? (
    <SettingsForm webhook={data.document} version={data.version} />
  ) : (
    <ReadOnly webhook={data.document} />
  );
}

function ReadOnly({ webhook }: { webhook: Webhook }) {
  const t = useTexts('webhooks');
  return (
    <Section title={t('tabs.settings')}>
      <Facts
        facts={[
          [t('fields.url'), webhook.url],
          [t('columns.events'), <Patterns key="events" events={webhook.events} />],
          [t('columns.lastDelivery'), lastOf(webhook) ?? t('never')],
        ]}
      />
    </Section>
  );
}

const lastOf = ({ last_delivery_at }: Webhook) =>
  last_delivery_at === null ? null : <Time at={last_delivery_at} />;

function Patterns({ events }: { events: readonly string[] }) {
  const words = useEventWords();
  return (
    <span className={classes.patterns}>
      {events.map((pattern) => (
        <Badge key={pattern} variant="default" title={pattern}>
          {words.pattern(pattern)}
        </Badge>
      ))}
    </span>
  );
}

interface Values {
  name: string;
  url: string;
  events: EventPattern[];
}

const valuesOf = ({ name, url, events }: Webhook): Values => ({
  name,
  url,
  events: events as EventPattern[],
});

function SettingsForm({ webhook, version }: { webhook: Webhook; version: string }) {
  const t = useTexts('webhooks');
  const common = useTexts('common');
  const queries = useQueryClient();
  const draft = useDraft(valuesOf(webhook), version);
  const { values, isDirty } = draft;
  const [isSaved, setIsSaved] = useState(false);
  const save = useWrite('PATCH /api/webhooks/{webhook_id}', {
    refreshes: webhookPaths,
    onDone: (stored) => {
      draft.settle(valuesOf(stored), tagOf(stored.version));
      setIsSaved(true);
    },
  });
  const set = (change: Partial<Values>) => {
    setIsSaved(false);
    draft.set(change);
  };
  return (
    <>
      <UnsavedGuard isUnsaved={isDirty} />
      <Form
        submit={common('actions.save')}
        isPending={save.isPending}
        isDisabled={!isDirty || values.events.length === 0 || draft.theirs !== null}
        error={hasCode(save.error, 'stale_version', 'name_taken') ? null : save.error}
        fields={pointers}
        others={
          <>
            {isDirty && (
              <Button variant="default" onClick={draft.reset}>
                {common('actions.discard')}
              </Button>
            )}
            {isSaved && !isDirty && <span role="status">{common('saved')}</span>}
          </>
        }
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(
            {
              params: { path: { webhook_id: webhook.id }, header: { 'If-Match': draft.version } },
              body: changesOf(values, webhook),
            },
            {
              onError: (error) => {
                if (hasCode(error, 'stale_version'))
                  void queries.invalidateQueries({ queryKey: ['/api/webhooks/{webhook_id}'] });
              },
            },
          );
        }}
      >
        <Conflict
          draft={draft}
          fields={[
            { key: 'url', name: t('fields.url'), show: ({ url }) => url },
            { key: 'name', name: t('fields.name'), show: ({ name }) => name },
            {
              key: 'events',
              name: t('columns.events'),
              show: ({ events }) => <Patterns events={events} />,
            },
          ]}
        />
        <Section title={t('newPage.where')}>
          <div className="stack">
            <WebhookFields values={values} error={save.error} onChange={set} />
          </div>
        </Section>
        <Section title={t('newPage.what')}>
          <EventPicker
            chosen={values.events}
            error={values.events.length === 0 ? t('picker.nothing') : eventFault(save.error)}
            onChange={(events) => set({ events })}
          />
        </Section>
      </Form>
    </>
  );
}

/** Only what differs: the rest may be beyond the permissions of this user. */
const changesOf = (values: Values, stored: Webhook) => ({
  ...(values.name.trim() !== stored.name && { name: values.name.trim() }),
  ...(values.url.trim() !== stored.url && { url: values.url.trim() }),
  ...(JSON.stringify(values.events) !== JSON.stringify(stored.events) && { events: values.events }),
});
