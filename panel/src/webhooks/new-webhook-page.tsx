// Adds a webhook: where to, and which events.
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { hasCode } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { BackLink } from '../shared/back-link.tsx';
import { Form } from '../shared/form.tsx';
import { Page } from '../shared/page.tsx';
import { UnsavedGuard } from '../shared/unsaved-guard.tsx';
import { useTexts } from '../texts/texts.ts';
import { EventPicker } from './event-picker.tsx';
import { eventFault } from './event-fault.ts';
import { keepSecret } from './fresh-secret.ts';
import { pointers, WebhookFields } from './webhook-fields.tsx';
import type { EventPattern } from './webhook.ts';

const route = getRouteApi('/frame/licensed/webhooks/new');

export function NewWebhookPage() {
  const t = useTexts('webhooks');
  const navigate = route.useNavigate();
  const [destination, setDestination] = useState({ name: '', url: '' });
  const [events, setEvents] = useState<EventPattern[]>([]);
  const isEdited = destination.name !== '' || destination.url !== '' || events.length > 0;
  const create = useWrite('POST /api/webhooks', {
    refreshes: ['/api/webhooks'],
    onDone: ({ id, secret }) => {
      keepSecret(id, secret);
      void navigate({ to: '/webhooks/$webhookId', params: { webhookId: id }, ignoreBlocker: true });
    },
  });
  return (
    <Page title={t('newPage.title')} above={<BackLink to="/webhooks">{t('back')}</BackLink>} width="narrow">
      <UnsavedGuard isUnsaved={isEdited && !create.isSuccess} />
      <Form
        submit={t('newPage.create')}
        isPending={create.isPending}
        isDisabled={destination.name.trim() === '' || destination.url.trim() === '' || events.length === 0}
        disabledReason={t('newPage.incomplete')}
        error={hasCode(create.error, 'name_taken') ? null : create.error}
        fields={pointers}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ body: { name: destination.name.trim(), url: destination.url.trim(), events } });
        }}
      >
        <Section title={t('newPage.where')}>
          <div className="stack">
            <WebhookFields
              values={destination}
              error={create.error}
              onChange={(change) => setDestination({ ...destination, ...change })}
            />
          </div>
        </Section>
        <Section title={t('newPage.what')}>
          <EventPicker chosen={events} error={eventFault(create.error)} onChange={setEvents} />
        </Section>
      </Form>
    </Page>
  );
}
