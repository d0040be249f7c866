// One schedule: when it runs next, what it does, and what became of its runs.
import { Alert, Button } from '@mantine/core';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Pencil, Play } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import { useMay } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import { useRead } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { BackLink } from '../shared/back-link.tsx';
import { ButtonLink } from '../shared/button-link.tsx';
import { tagOf } from '../shared/draft.ts';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useServerNames } from '../shared/server-names.ts';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { useActionWords } from './action-words.ts';
import { useCronWords } from './cron-words.ts';
import { NextRuns } from './next-runs.tsx';
import { RunDialog } from './run-dialog.tsx';
import { RunHistory } from './run-history.tsx';
import { mayRun, type Schedule } from './schedule.ts';
import classes from './schedules.module.css';

const route = getRouteApi('/frame/licensed/schedules/$scheduleId');

export function SchedulePage() {
  const t = useTexts('schedules');
  const { scheduleId } = route.useParams();
  const asked = useRead('/api/schedules/{schedule_id}', { params: { path: { schedule_id: scheduleId } } });
  return (
    <Loaded isPage asked={asked} waitingFor={t('title')}>
      {(schedule) => <Shown schedule={schedule} />}
    </Loaded>
  );
}

function Shown({ schedule }: { schedule: Schedule }) {
  const t = useTexts('schedules');
  const cronWords = useCronWords();
  const { id, name, instance_id, cron, time_zone, is_enabled, next_runs, next_announcements } = schedule;
  const { names } = useServerNames();
  const server = names.get(instance_id) ?? null;
  return (
    <Page
      title={name}
      status={
        <StateText tone={is_enabled ? 'good' : 'idle'}>{is_enabled ? t('enabled') : t('disabled')}</StateText>
      }
      above={<BackLink to="/schedules">{t('title')}</BackLink>}
      action={<Actions schedule={schedule} server={server} />}
    >
      <div className="columns">
        <Section title={t('nextRuns')}>
          <p className={classes.words}>
            {cronWords(cron)}
            <span>
              {time_zone} · <code>{cron}</code>
            </span>
          </p>
          {is_enabled ? (
            <NextRuns runs={next_runs} announcements={next_announcements} timeZone={time_zone} />
          ) : (
            <p className="hint">{t('noRunsWhileDisabled')}</p>
          )}
        </Section>
        <About schedule={schedule} server={server} />
      </div>
      <RunHistory scheduleId={id} />
    </Page>
  );
}

function About({ schedule, server }: { schedule: Schedule; server: string | null }) {
  const t = useTexts('schedules');
  const wipes = useTexts('wipes');
  const actionWords = useActionWords();
  const { action, instance_id, missed_runs, created_by, created_at } = schedule;
  return (
    <Section title={t('about')}>
      <Facts
        facts={[
          [t('columns.action'), actionWords(action)],
          [
            t('columns.server'),
            <Link key="server" to="/servers/$instanceId" params={{ instanceId: instance_id }}>
              {server ?? t('theServer')}
            </Link>,
          ],
          ...(action.kind === 'wipe'
            ? ([[wipes('facts.backup'), action.wipe.backup === true ? wipes('yes') : wipes('no')]] as const)
            : []),
          [t('fields.missed'), t(`missed.${missed_runs}`)],
          [t('createdBy'), created_by],
          [t('created'), <Time key="created" at={created_at} />],
        ]}
      />
    </Section>
  );
}

function Actions({ schedule, server }: { schedule: Schedule; server: string | null }) {
  const t = useTexts('schedules');
  const common = useTexts('common');
  const { permissions } = useMe();
  const mayChange = useMay('PATCH /api/schedules/{schedule_id}');
  const mayDelete = useMay('DELETE /api/schedules/{schedule_id}');
  const mayStart = useMay('POST /api/schedules/{schedule_id}/runs');
  const mayAct = mayRun(permissions, schedule.action.kind);
  const [asking, setAsking] = useState<'run' | 'delete' | null>(null);
  const toggle = useWrite('PATCH /api/schedules/{schedule_id}/toggle', {
    refreshes: ['/api/schedules', '/api/schedules/{schedule_id}'],
  });
  const params = {
    path: { schedule_id: schedule.id },
    header: { 'If-Match': tagOf(schedule.version) },
  };
  return (
    <>
      {mayStart && mayAct && (
        <Button
          variant="default"
          leftSection={<Play size={15} aria-hidden="true" />}
          onClick={() => setAsking('run')}
        >
          {t('run.action')}
        </Button>
      )}
      {mayChange && (mayAct || schedule.is_enabled) && (
        <Button variant="default" loading={toggle.isPending} onClick={() => toggle.mutate({ params })}>
          {schedule.is_enabled ? t('disable') : t('enableAgain')}
        </Button>
      )}
      {mayDelete && (
        <Button variant="default" onClick={() => setAsking('delete')}>
          {common('actions.delete')}
        </Button>
      )}
      {mayChange && mayAct && (
        <ButtonLink
          to="/schedules/$scheduleId/edit"
          params={{ scheduleId: schedule.id }}
          leftSection={<Pencil size={15} aria-hidden="true" />}
        >
          {common('actions.edit')}
        </ButtonLink>
      )}
      <ProblemAlert error={toggle.error} />
      {asking === 'run' && <RunDialog schedule={schedule} server={server} onClose={() => setAsking(null)} />}
      {asking === 'delete' && <DeleteDialog schedule={schedule} onClose={() => setAsking(null)} />}
    </>
  );
}

function DeleteDialog({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const t = useTexts('schedules');
  const common = useTexts('common');
  const navigate = useNavigate();
  const remove = useWrite('DELETE /api/schedules/{schedule_id}', {
    refreshes: ['/api/schedules'],
    onDone: () => void navigate({ to: '/schedules' }),
  });
  return (
    <ConfirmDialog
      isOpen
      title={t('delete.title', { name: schedule.name })}
      action={common('actions.delete')}
      isDangerous
      typed={schedule.name}
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() =>
        remove.mutate({
          params: {
            path: { schedule_id: schedule.id },
            header: { 'If-Match': tagOf(schedule.version) },
          },
        })
      }
      onClose={onClose}
    >
      <p>{t('delete.detail')}</p>
      {schedule.action.kind === 'backup' && <Alert color="yellow">{t('delete.backups')}</Alert>}
    </ConfirmDialog>
  );
}
