// One delivery: its body, its attempts, and the response that refused it.
import { Button, Group, Table } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { CopyText } from '@gantry/ui/copy-text.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { isOutcomeNear } from '../api/pending.ts';
import { useRead } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { useEventWords } from '../events/event-words.ts';
import { useFormats } from '../shared/formats.ts';
import { JsonText } from '../shared/json-text.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { BackToWebhook } from './back-to-webhook.tsx';
import { DeliveryStatus, useOutcome } from './delivery-words.tsx';
import classes from './webhooks.module.css';

type Detail = Schemas['WebhookDeliveryDetail'];

const route = getRouteApi('/frame/licensed/webhooks/$webhookId/deliveries/$deliveryId');

/** Events do not report attempts. */
const everyMs = 2_000;
const retryingMs = 15_000;

const everyFor = (delivery: Detail): number | false =>
  delivery.status === 'pending' && (isOutcomeNear(delivery, serverNow()) ? everyMs : retryingMs);

export function DeliveryPage() {
  const t = useTexts('webhooks');
  const { webhookId, deliveryId } = route.useParams();
  const asked = useRead(
    '/api/webhooks/{webhook_id}/deliveries/{webhook_delivery_id}',
    { params: { path: { webhook_id: webhookId, webhook_delivery_id: deliveryId } } },
    { everyFor },
  );
  return (
    <Loaded isPage asked={asked} waitingFor={t('deliveries.title')}>
      {(delivery) => <Shown delivery={delivery} />}
    </Loaded>
  );
}

function Shown({ delivery }: { delivery: Detail }) {
  const t = useTexts('webhooks');
  const words = useEventWords();
  const mayResend = useMay('POST /api/webhooks/{webhook_id}/deliveries/{webhook_delivery_id}/resend');
  const maySeeEvent = useMay('GET /api/events/{event_id}');
  const { event_id: eventId } = delivery;
  const path = { webhook_id: delivery.webhook_id, webhook_delivery_id: delivery.id };
  const resend = useWrite('POST /api/webhooks/{webhook_id}/deliveries/{webhook_delivery_id}/resend', {
    refreshes: [
      '/api/webhooks/{webhook_id}/deliveries/{webhook_delivery_id}',
      '/api/webhooks/{webhook_id}/deliveries',
    ],
  });
  return (
    <Page
      title={delivery.event === 'test' ? t('deliveries.test') : delivery.event}
      status={<DeliveryStatus status={delivery.status} />}
      {...(delivery.event !== 'test' && { lead: words.type(delivery.event) })}
      above={<BackToWebhook webhookId={delivery.webhook_id} />}
      action={
        <Group gap="xs">
          {maySeeEvent && eventId !== null && (
            <Button
              variant="default"
              renderRoot={(props) => <Link {...props} to="/events/$eventId" params={{ eventId }} />}
            >
              {t('delivery.event')}
            </Button>
          )}
          {mayResend && (
            <Button
              leftSection={<RotateCw size={15} aria-hidden="true" />}
              loading={resend.isPending}
              onClick={() => resend.mutate({ params: { path } })}
            >
              {t('delivery.resend')}
            </Button>
          )}
        </Group>
      }
    >
      <ProblemAlert error={resend.error} />
      <div className={classes.twoColumns}>
        <div className={classes.column}>
          <Section title={t('delivery.body')}>
            <JsonText value={delivery.body} label={t('delivery.body')} />
          </Section>
          {delivery.response !== null && delivery.response !== '' && (
            <Section title={t('delivery.response')}>
              <pre className={classes.response} tabIndex={0} role="group" aria-label={t('delivery.response')}>
                {delivery.response}
              </pre>
            </Section>
          )}
        </div>
        <div className={classes.column}>
          <About delivery={delivery} />
          <Attempts delivery={delivery} />
        </div>
      </div>
    </Page>
  );
}

function About({ delivery }: { delivery: Detail }) {
  const t = useTexts('webhooks');
  return (
    <Section title={t('delivery.about')}>
      <Facts
        facts={[
          [t('delivery.eventAt'), <Time key="at" at={delivery.created_at} />],
          ...(delivery.next_attempt_at === null
            ? []
            : [[t('delivery.next'), <Time key="next" at={delivery.next_attempt_at} />] as const]),
          ...(delivery.finished_at === null
            ? []
            : [[t('delivery.finished'), <Time key="finished" at={delivery.finished_at} />] as const]),
          [
            t('delivery.id'),
            <CopyText key="id" text={delivery.id}>
              {t('delivery.copyId')}
            </CopyText>,
          ],
        ]}
      />
    </Section>
  );
}

function Attempts({ delivery: { attempts } }: { delivery: Detail }) {
  const t = useTexts('webhooks');
  const formats = useFormats();
  const outcome = useOutcome();
  return (
    <Section title={t('delivery.attempts')} lead={t('delivery.attemptsLead')}>
      {attempts.length === 0 ? (
        <p className="hint">{t('delivery.none')}</p>
      ) : (
        <ScrollingTable label={t('delivery.attempts')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('delivery.time')}</Table.Th>
              <Table.Th scope="col">{t('delivery.outcome')}</Table.Th>
              <Table.Th scope="col">{t('delivery.duration')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {attempts.map((attempt) => (
              <Table.Tr key={attempt.at}>
                <Table.Td>
                  <Time at={attempt.at} isFocusable={false} />
                </Table.Td>
                <Table.Td title={attempt.detail ?? ''}>
                  {outcome(attempt.outcome, attempt.status_code)}
                </Table.Td>
                <Table.Td className="nowrap number">
                  {t('delivery.ms', { ms: formats.number(attempt.duration_ms) })}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ScrollingTable>
      )}
    </Section>
  );
}
