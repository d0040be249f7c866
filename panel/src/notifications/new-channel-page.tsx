// Adds a notification channel: first where to, then the rest.
import { Radio } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe } from '../api/me.ts';
import { hasCode } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { BackLink } from '../shared/back-link.tsx';
import { Form } from '../shared/form.tsx';
import { Page } from '../shared/page.tsx';
import { UnsavedGuard } from '../shared/unsaved-guard.tsx';
import { useTexts } from '../texts/texts.ts';
import { Section } from '@gantry/ui/section.tsx';
import { channelKinds, noTarget, pointers, targetOf, type TargetFields as Fields } from './channel.ts';
import { GeneralFields, generalOf, type General } from './general-fields.tsx';
import classes from './notifications.module.css';
import { TargetFields } from './target-fields.tsx';

const route = getRouteApi('/frame/licensed/alerts/channels/new');

export function NewChannelPage() {
  const t = useTexts('notifications');
  const me = useMe();
  const { kind } = route.useSearch();
  const navigate = route.useNavigate();
  const [target, setTarget] = useState<Fields>({ ...noTarget, address: me.email });
  const [general, setGeneral] = useState<General>({ name: '', least_severity: 'Warning', template: null });
  const isEdited = general.name !== '' || target.url !== '' || target.topic !== '' || target.user !== '';
  const create = useWrite('POST /api/notifications/channels', {
    refreshes: ['/api/notifications/channels'],
    onDone: ({ id }) =>
      void navigate({
        to: '/alerts/channels/$channelId',
        params: { channelId: id },
        ignoreBlocker: true,
      }),
  });
  return (
    <Page
      title={t('newPage.title')}
      above={<BackLink to="/alerts/channels">{t('back')}</BackLink>}
      width="narrow"
    >
      <UnsavedGuard isUnsaved={isEdited && !create.isSuccess} />
      <Section title={t('newPage.kind')}>
        <Form
          submit={t('newPage.create')}
          isPending={create.isPending}
          isDisabled={general.name.trim() === ''}
          error={hasCode(create.error, 'name_taken') ? null : create.error}
          fields={pointers}
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate({ body: { ...generalOf(general), target: targetOf(kind, target) } });
          }}
        >
          <Radio.Group
            aria-label={t('newPage.kind')}
            value={kind}
            onChange={(next) => void navigate({ search: { kind: next }, replace: true })}
          >
            <div className={classes.kinds}>
              {channelKinds.map((each) => (
                <Radio
                  key={each}
                  className={classes.kind ?? ''}
                  value={each}
                  label={t(`kinds.${each}`)}
                  description={t(`kindLeads.${each}`)}
                />
              ))}
            </div>
          </Radio.Group>
          <TargetFields
            kind={kind}
            values={target}
            error={create.error}
            onChange={(change) => setTarget({ ...target, ...change })}
          />
          <GeneralFields
            values={general}
            error={create.error}
            onChange={(change) => setGeneral({ ...general, ...change })}
          />
        </Form>
      </Section>
    </Page>
  );
}
