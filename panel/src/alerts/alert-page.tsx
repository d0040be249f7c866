// One alert: what happened where, since when, and who takes care of it.
import { Button, Group } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import { useRead } from '../api/reading.ts';
import { BackLink } from '../shared/back-link.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { AcknowledgeButton, useAcknowledge } from './acknowledge-button.tsx';
import { AlertHistory } from './alert-history.tsx';
import type { Alert } from './alert-search.ts';
import { useAlertWords } from './alert-words.ts';
import classes from './alerts.module.css';
import { Severity } from './severity.tsx';

const route = getRouteApi('/frame/licensed/alerts/$alertId');

export function AlertPage() {
  const t = useTexts('alerts');
  const { alertId } = route.useParams();
  const asked = useRead('/api/alerts/{alert_id}', { params: { path: { alert_id: alertId } } });
  return (
    <Loaded isPage asked={asked} waitingFor={t('columns.alert')}>
      {(alert) => <Shown alert={alert} />}
    </Loaded>
  );
}

function Shown({ alert }: { alert: Alert }) {
  const t = useTexts('alerts');
  const words = useAlertWords();
  const mayReadHistory = useMay('GET /api/events');
  const change = useAcknowledge();
  return (
    <Page
      title={words.headline(alert)}
      status={<Severity severity={alert.severity} isOver={alert.ended_at !== null} />}
      lead={words.message(alert)}
      above={<BackLink to="/alerts">{t('detail.back')}</BackLink>}
      action={<Actions alert={alert} isPending={change.isPending} onPress={change.set} />}
    >
      <ProblemAlert error={change.error} />
      <div className={classes.columns}>
        <About alert={alert} />
        {mayReadHistory && <AlertHistory alertId={alert.id} />}
      </div>
    </Page>
  );
}

interface ActionsProps {
  alert: Alert;
  isPending: boolean;
  onPress: (alertId: string, isAcknowledged: boolean) => void;
}

function Actions({ alert, isPending, onPress }: ActionsProps) {
  const t = useTexts('alerts');
  const mayAcknowledge = useMay('PATCH /api/alerts/{alert_id}');
  const mayChangeRules = useMay('PATCH /api/alerts/config');
  return (
    <Group gap="xs">
      {mayChangeRules && (
        <Button component={Link} to="/alerts/rules" variant="default">
          {t('detail.rule')}
        </Button>
      )}
      {mayAcknowledge && alert.acknowledged_at !== null && (
        <Button variant="default" loading={isPending} onClick={() => onPress(alert.id, false)}>
          {t('revoke')}
        </Button>
      )}
      {mayAcknowledge && alert.acknowledged_at === null && (
        <AcknowledgeButton alert={alert} isPending={isPending} onPress={onPress} size="sm" variant="filled" />
      )}
    </Group>
  );
}

function About({ alert }: { alert: Alert }) {
  const t = useTexts('alerts');
  const formats = useFormats();
  const words = useAlertWords();
  const mayList = useMay('GET /api/fleet/instances');
  const place = mayList ? (
    alert.instance_id === null ? (
      <Link to="/servers" search={{ host: alert.host_id }}>
        {alert.subject_name}
      </Link>
    ) : (
      <Link to="/servers/$instanceId" params={{ instanceId: alert.instance_id }}>
        {alert.subject_name}
      </Link>
    )
  ) : (
    alert.subject_name
  );
  const since = alert.reopened_at ?? alert.raised_at;
  const seconds = alert.ended_at === null ? null : (Date.parse(alert.ended_at) - Date.parse(since)) / 1_000;
  return (
    <Section title={t('detail.about')}>
      <div className="stack">
        <Facts
          facts={[
            [alert.instance_id === null ? t('detail.host') : t('detail.server'), place],
            [t('detail.kind'), words.kind(alert.kind)],
            [t('columns.state'), words.state(alert)],
            [t('detail.raised'), <Time key="raised" at={alert.raised_at} />],
            ...(alert.reopened_at === null
              ? []
              : [[t('detail.reopened'), <Time key="reopened" at={alert.reopened_at} />] as const]),
            ...(alert.ended_at === null
              ? []
              : [[t('detail.ended'), <Time key="ended" at={alert.ended_at} />] as const]),
            ...(seconds === null ? [] : [[t('detail.lasted'), formats.duration(seconds)] as const]),
            [t('detail.acknowledgedAt'), <Acknowledged key="acknowledged" alert={alert} />],
          ]}
        />
        <EndHint alert={alert} />
      </div>
    </Section>
  );
}

function Acknowledged({ alert: { acknowledged_at, acknowledged_by } }: { alert: Alert }) {
  const t = useTexts('alerts');
  if (acknowledged_at === null) return t('detail.notAcknowledged');
  return (
    <>
      {acknowledged_by !== null && <>{acknowledged_by}, </>}
      <Time at={acknowledged_at} />
    </>
  );
}

const explained = ['recovered', 'settled', 'turned_off', 'gone'] as const;

function EndHint({ alert: { end_reason } }: { alert: Alert }) {
  const t = useTexts('alerts');
  const reason = explained.find((each) => each === end_reason);
  return reason === undefined ? null : <p className="hint">{t(`stateHints.${reason}`)}</p>;
}
