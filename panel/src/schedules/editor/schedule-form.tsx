// The editor of a schedule: what it does, when, and the runs that follow from it.
import { MultiSelect, NativeSelect, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { faultAt } from '../../api/problem.ts';
import { ChoiceCards } from '../../shared/choice-cards.tsx';
import { Form } from '../../shared/form.tsx';
import { useServerNames } from '../../shared/server-names.ts';
import { wipeFieldsIn } from '../../shared/wipe-fields.tsx';
import { useTexts } from '../../texts/texts.ts';
import classes from '../schedules.module.css';
import { ActionFields } from './action-fields.tsx';
import { PreviewSection, usePreview, usePreviewFaults } from './preview.tsx';
import { TimingFields } from './timing-fields.tsx';
import { isIncomplete, type ScheduleValues } from './values.ts';

interface ScheduleFormProps {
  values: ScheduleValues;
  set: (change: Partial<ScheduleValues>) => void;
  submit: string;
  isPending: boolean;
  error: Error | null;
  onSubmit: () => void;
  /** The server of an existing schedule stays. */
  isNew?: boolean;
  /** Beside the button. */
  others?: ReactNode;
  /** Above the fields. */
  children?: ReactNode;
}

const shownFields = [
  '/name',
  '/cron',
  '/time_zone',
  '/action/message',
  '/action/line',
  '/action/plugin',
  '/action/keep_last',
  '/action/paths',
  '/action/countdown/message',
  ...wipeFieldsIn('/action/wipe'),
];

export function ScheduleForm(props: ScheduleFormProps) {
  const { values, set, submit, isPending, error, onSubmit, isNew = false, others, children } = props;
  const t = useTexts('schedules');
  const { choices } = useServerNames();
  const preview = usePreview(values);
  const previewFaults = usePreviewFaults(preview);
  return (
    <div className={classes.editor}>
      <Form
        submit={submit}
        isPending={isPending}
        isDisabled={isIncomplete(values)}
        disabledReason={t('fields.incomplete')}
        error={error}
        fields={shownFields}
        others={others}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <Section title={t('parts.what')}>
          <div className={classes.fields}>
            <div className="fields">
              <TextInput
                label={t('fields.name')}
                placeholder={t('fields.namePlaceholder')}
                maxLength={100}
                value={values.name}
                error={faultAt(error, '/name')}
                onChange={({ currentTarget }) => set({ name: currentTarget.value })}
              />
              {isNew && (
                <NativeSelect
                  label={t('columns.server')}
                  value={values.instanceId}
                  error={faultAt(error, '/instance_id')}
                  data={[{ value: '', label: t('fields.chooseServer') }, ...choices]}
                  onChange={({ currentTarget }) => set({ instanceId: currentTarget.value })}
                />
              )}
            </div>
            {isNew && choices.length > 1 && (
              <MultiSelect
                label={t('fields.alsoOn')}
                description={t('fields.alsoOnHint')}
                data={choices.filter(({ value }) => value !== values.instanceId)}
                value={values.alsoOn.filter((id) => id !== values.instanceId)}
                searchable
                clearable
                onChange={(alsoOn) => set({ alsoOn })}
              />
            )}
            <ActionFields
              values={values.action}
              set={(change) => set({ action: { ...values.action, ...change } })}
              error={error}
            />
          </div>
        </Section>
        <Section title={t('parts.when')}>
          <TimingFields
            pattern={values.pattern}
            timeZone={values.timeZone}
            set={set}
            cronFault={previewFaults.cron ?? faultAt(error, '/cron')}
            zoneFault={previewFaults.zone ?? faultAt(error, '/time_zone')}
            offersForcedWipe={values.action.kind === 'wipe'}
          />
        </Section>
        <Section title={t('parts.else')}>
          <div className={classes.fields}>
            <ChoiceCards
              label={t('fields.missed')}
              value={values.missedRuns}
              choices={(['skip', 'catch_up'] as const).map((value) => ({
                value,
                label: t(`missed.${value}`),
                detail: t(`missedDetails.${value}`),
              }))}
              onChange={(missedRuns) => set({ missedRuns })}
            />
            <Switch
              label={t('enabled')}
              description={t('fields.enabledHint')}
              checked={values.isEnabled}
              onChange={({ currentTarget }) => set({ isEnabled: currentTarget.checked })}
            />
          </div>
        </Section>
      </Form>
      <div className={classes.preview}>
        <PreviewSection preview={preview} />
      </div>
    </div>
  );
}
