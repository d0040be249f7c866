// Creates a schedule.
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe } from '../../api/me.ts';
import { useWrite } from '../../api/writing.ts';
import { BackLink } from '../../shared/back-link.tsx';
import { ButtonLink } from '../../shared/button-link.tsx';
import { useDraft } from '../../shared/draft.ts';
import { Page } from '../../shared/page.tsx';
import { useServerNames } from '../../shared/server-names.ts';
import { TableSkeleton } from '../../shared/table-skeleton.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import { actionKinds, mayRun } from '../schedule.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { SeveralResults, useSeveral } from './several-servers.tsx';
import { documentOf, firstValues } from './values.ts';

const route = getRouteApi('/frame/licensed/schedules/new');

export function NewSchedulePage() {
  const t = useTexts('schedules');
  const { choices, isLoaded } = useServerNames();
  const { server } = route.useSearch();
  const [only, ...others] = choices;
  const first = server !== '' ? server : others.length === 0 ? (only?.value ?? '') : '';
  return (
    <Page title={t('new.title')} above={<BackLink to="/schedules">{t('title')}</BackLink>}>
      {isLoaded ? <NewSchedule instanceId={first} /> : <TableSkeleton />}
    </Page>
  );
}

function NewSchedule({ instanceId }: { instanceId: string }) {
  const t = useTexts('schedules');
  const common = useTexts('common');
  const navigate = useNavigate();
  const { kind } = route.useSearch();
  const { permissions } = useMe();
  const [first] = useState(() =>
    firstValues(
      instanceId,
      kind !== '' ? kind : (actionKinds.find((each) => mayRun(permissions, each)) ?? 'restart'),
    ),
  );
  const draft = useDraft(first, 'new');
  const { names } = useServerNames();
  const several = useSeveral();
  const { instanceId: chosen, alsoOn } = draft.values;
  const others = alsoOn.filter((id) => id !== chosen);
  const createOnAll = async () => {
    const done = await several.create([chosen, ...others], documentOf(draft.values));
    const [first = '', ...rest] = done
      .filter(({ scheduleId }) => scheduleId === undefined)
      .map(({ id }) => id);
    if (first === '') void navigate({ to: '/schedules', ignoreBlocker: true });
    // What is left to do can be tried again.
    else draft.set({ instanceId: first, alsoOn: rest });
  };
  const create = useWrite('POST /api/schedules', {
    refreshes: ['/api/schedules'],
    onDone: ({ id }) =>
      void navigate({ to: '/schedules/$scheduleId', params: { scheduleId: id }, ignoreBlocker: true }),
  });
  return (
    <>
      <UnsavedGuard isUnsaved={draft.isDirty} />
      <SeveralResults outcomes={several.outcomes} names={names} />
      <ScheduleForm
        isNew
        values={draft.values}
        set={draft.set}
        submit={t('new.create')}
        isPending={create.isPending || several.isPending}
        error={several.error ?? create.error}
        onSubmit={() => {
          // The last one of several is repeated as one of them, under its key.
          if (others.length > 0 || several.outcomes.length > 0) void createOnAll();
          else create.mutate({ body: { ...documentOf(draft.values), instance_id: chosen } });
        }}
        others={
          <ButtonLink to="/schedules" variant="default">
            {common('actions.cancel')}
          </ButtonLink>
        }
      />
    </>
  );
}
