// One event: what happened, to what, by whom, and the JSON that programs get.
import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CopyText } from '@gantry/ui/copy-text.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import { useRead } from '../api/reading.ts';
import { BackLink } from '../shared/back-link.tsx';
import { JsonText } from '../shared/json-text.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { useEventWords, type LoggedEvent } from './event-words.ts';
import classes from './events.module.css';
import { actorOf } from './events-page.tsx';

const route = getRouteApi('/frame/licensed/events/$eventId');

export function EventPage() {
  const t = useTexts('events');
  const { eventId } = route.useParams();
  const asked = useRead('/api/events/{event_id}', { params: { path: { event_id: eventId } } });
  return (
    <Loaded isPage asked={asked} waitingFor={t('columns.event')}>
      {(event) => <Shown event={event} />}
    </Loaded>
  );
}

function Shown({ event }: { event: LoggedEvent }) {
  const t = useTexts('events');
  const words = useEventWords();
  return (
    <Page
      title={words.sentence(event)}
      lead={words.type(event.type)}
      above={<BackLink to="/events">{t('back')}</BackLink>}
      action={
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/events" search={{ object: event.subject.id }} />}
        >
          {t('detail.others')}
        </Button>
      }
    >
      <div className={classes.columns}>
        <Section title={t('detail.payload')} lead={t('detail.payloadLead')}>
          <JsonText value={event} label={t('detail.payload')} />
        </Section>
        <About event={event} />
      </div>
    </Page>
  );
}

function About({ event }: { event: LoggedEvent }) {
  const t = useTexts('events');
  const mayList = useMay('GET /api/fleet/instances');
  const { instance_id, host_id } = event;
  return (
    <Section title={t('detail.about')}>
      <Facts
        facts={[
          [t('columns.type'), <code key="type">{event.type}</code>],
          [t('columns.actor'), actorOf(event.actor) ?? t('gantry')],
          [t('detail.occurred'), <Time key="occurred" at={event.occurred_at} />],
          [t('detail.recorded'), <Time key="recorded" at={event.recorded_at} />],
          [
            t('detail.object'),
            <span key="object" className={classes.object}>
              {event.subject.type} <CopyText text={event.subject.id}>{t('detail.copyId')}</CopyText>
            </span>,
          ],
          [
            t('detail.id'),
            <CopyText key="id" text={event.id}>
              {t('detail.copyId')}
            </CopyText>,
          ],
          ...(mayList && instance_id !== null
            ? [
                [
                  t('detail.server'),
                  <Link key="server" to="/servers/$instanceId" params={{ instanceId: instance_id }}>
                    {t('detail.showServer')}
                  </Link>,
                ] as const,
              ]
            : []),
          ...(mayList && host_id !== null
            ? [
                [
                  t('detail.host'),
                  <Link key="host" to="/servers" search={{ host: host_id }}>
                    {t('detail.showHost')}
                  </Link>,
                ] as const,
              ]
            : []),
        ]}
      />
    </Section>
  );
}
