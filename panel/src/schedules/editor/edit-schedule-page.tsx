// Changes a schedule, without overwriting what others have changed in the meantime.
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Schemas } from '../../api/operations.ts';
import { useDocument } from '../../api/reading.ts';
import { useWrite } from '../../api/writing.ts';
import { BackLink } from '../../shared/back-link.tsx';
import { ButtonLink } from '../../shared/button-link.tsx';
import { Conflict } from '../../shared/conflict.tsx';
import { useDraft } from '../../shared/draft.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { Page } from '../../shared/page.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useActionWords } from '../action-words.ts';
import { cronOf } from '../cron-pattern.ts';
import { useCronWords } from '../cron-words.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { actionOf, documentOf, valuesOf } from './values.ts';

const route = getRouteApi('/frame/licensed/schedules/$scheduleId/edit');

export function EditSchedulePage() {
  const t = useTexts('schedules');
  const { scheduleId } = route.useParams();
  const asked = useDocument('/api/schedules/{schedule_id}', {
    params: { path: { schedule_id: scheduleId } },
  });
  return (
    <Loaded isPage asked={asked} waitingFor={t('title')}>
      {({ document, version }) => (
        <Page
          title={t('edit.title', { name: document.name })}
          above={<BackLink to="/schedules">{t('title')}</BackLink>}
        >
          <EditSchedule key={scheduleId} schedule={document} version={version} />
        </Page>
      )}
    </Loaded>
  );
}

function EditSchedule({ schedule, version }: { schedule: Schemas['Schedule']; version: string }) {
  const t = useTexts('schedules');
  const common = useTexts('common');
  const navigate = useNavigate();
  const actionWords = useActionWords();
  const cronWords = useCronWords();
  const draft = useDraft(valuesOf(schedule), version);
  const save = useWrite('PATCH /api/schedules/{schedule_id}', {
    refreshes: ['/api/schedules', '/api/schedules/{schedule_id}'],
    onDone: ({ id }) =>
      void navigate({ to: '/schedules/$scheduleId', params: { scheduleId: id }, ignoreBlocker: true }),
  });
  const { isDirty, values } = draft;
  return (
    <>
      <UnsavedGuard isUnsaved={isDirty} />
      <ScheduleForm
        values={values}
        set={draft.set}
        submit={common('actions.save')}
        isPending={save.isPending}
        error={save.error}
        onSubmit={() =>
          save.mutate({
            params: { path: { schedule_id: schedule.id }, header: { 'If-Match': draft.version } },
            body: documentOf(values),
          })
        }
        others={
          <ButtonLink to="/schedules/$scheduleId" params={{ scheduleId: schedule.id }} variant="default">
            {common('actions.cancel')}
          </ButtonLink>
        }
      >
        <Conflict
          draft={draft}
          fields={[
            { key: 'name', name: t('columns.name'), show: ({ name }) => name },
            { key: 'action', name: t('columns.action'), show: ({ action }) => actionWords(actionOf(action)) },
            { key: 'pattern', name: t('columns.when'), show: ({ pattern }) => cronWords(cronOf(pattern)) },
            { key: 'timeZone', name: t('timing.zone'), show: ({ timeZone }) => timeZone },
            {
              key: 'missedRuns',
              name: t('fields.missed'),
              show: ({ missedRuns }) => t(`missed.${missedRuns}`),
            },
            {
              key: 'isEnabled',
              name: t('columns.enabled'),
              show: ({ isEnabled }) => (isEnabled ? t('enabled') : t('disabled')),
            },
          ]}
        />
      </ScheduleForm>
    </>
  );
}
