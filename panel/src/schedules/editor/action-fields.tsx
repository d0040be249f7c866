// What a schedule does: its kind, and the fields of that kind.
import { Chip, Switch, Textarea, TextInput } from '@mantine/core';
import { useMe } from '../../api/me.ts';
import { faultAt } from '../../api/problem.ts';
import { ChoiceCards } from '../../shared/choice-cards.tsx';
import { useFormats } from '../../shared/formats.ts';
import { NumberField } from '../../shared/number-field.tsx';
import { WipeFields } from '../../shared/wipe-fields.tsx';
import { useTexts } from '../../texts/texts.ts';
import { actionKinds, mayAnnounce, mayRun } from '../schedule.ts';
import classes from '../schedules.module.css';
import type { ActionValues } from './values.ts';

interface ActionFieldsProps {
  values: ActionValues;
  set: (change: Partial<ActionValues>) => void;
  error: Error | null;
}

export function ActionFields({ values, set, error }: ActionFieldsProps) {
  const t = useTexts('schedules');
  const { permissions } = useMe();
  return (
    <div className={classes.fields}>
      <ChoiceCards
        label={t('fields.action')}
        value={values.kind}
        choices={actionKinds
          .filter((kind) => kind === values.kind || mayRun(permissions, kind))
          .map((value) => ({ value, label: t(`kinds.${value}`), detail: t(`kindDetails.${value}`) }))}
        onChange={(kind) => set({ kind })}
      />
      <KindFields values={values} set={set} error={error} />
    </div>
  );
}

function KindFields({ values, set, error }: ActionFieldsProps) {
  const t = useTexts('schedules');
  switch (values.kind) {
    case 'announcement':
      return (
        <TextInput
          label={t('fields.message')}
          description={t('fields.messageHint')}
          maxLength={500}
          value={values.message}
          error={faultAt(error, '/action/message')}
          onChange={({ currentTarget }) => set({ message: currentTarget.value })}
        />
      );
    case 'backup':
      return <BackupFields values={values} set={set} error={error} />;
    case 'command':
      return (
        <TextInput
          classNames={{ input: 'mono' }}
          label={t('fields.line')}
          description={t('fields.lineHint')}
          maxLength={1_000}
          autoCapitalize="none"
          spellCheck={false}
          value={values.line}
          error={faultAt(error, '/action/line')}
          onChange={({ currentTarget }) => set({ line: currentTarget.value })}
        />
      );
    case 'plugin_reload':
      return (
        <TextInput
          label={t('fields.plugin')}
          description={t('fields.pluginHint')}
          maxLength={100}
          autoCapitalize="none"
          spellCheck={false}
          value={values.plugin}
          error={faultAt(error, '/action/plugin')}
          onChange={({ currentTarget }) => set({ plugin: currentTarget.value })}
        />
      );
    case 'restart':
    case 'stop':
      return <CountdownFields values={values} set={set} error={error} />;
    case 'wipe':
      return (
        <WipeFields
          isScheduled
          plan={values.wipe}
          set={(change) => set({ wipe: { ...values.wipe, ...change } })}
          error={error}
          within="/action/wipe"
        />
      );
    case 'start':
      return null;
  }
}

function BackupFields({ values, set, error }: ActionFieldsProps) {
  const t = useTexts('schedules');
  return (
    <div className="fields">
      <NumberField
        label={t('fields.keepLast')}
        description={t('fields.keepLastHint')}
        min={1}
        max={30}
        isWhole
        value={values.keepLast}
        error={faultAt(error, '/action/keep_last')}
        onChange={(keepLast) => set({ keepLast })}
      />
      <Textarea
        label={t('fields.paths')}
        description={t('fields.pathsHint')}
        placeholder={t('fields.wholeServer')}
        autosize
        minRows={2}
        spellCheck={false}
        value={values.paths}
        error={faultAt(error, '/action/paths')}
        onChange={({ currentTarget }) => set({ paths: currentTarget.value })}
      />
    </div>
  );
}

const commonSeconds = [3_600, 1_800, 900, 600, 300, 120, 60, 30, 10] as const;
const maxAnnouncements = 10;

function CountdownFields({ values, set, error }: ActionFieldsProps) {
  const t = useTexts('schedules');
  const formats = useFormats();
  const { permissions } = useMe();
  const { announceBefore, hasCountdown } = values;
  if (!mayAnnounce(permissions)) return <p className="hint">{t('fields.mayNotAnnounce')}</p>;
  const offered = [...new Set([...commonSeconds, ...announceBefore])].sort((one, other) => other - one);
  return (
    <>
      <Switch
        label={t('fields.countdown')}
        description={t('fields.countdownHint')}
        checked={hasCountdown}
        onChange={({ currentTarget }) => set({ hasCountdown: currentTarget.checked })}
      />
      {hasCountdown && (
        <>
          <fieldset className={classes.days}>
            <legend>{t('fields.announceBefore')}</legend>
            <div className={classes.dayList}>
              {offered.map((seconds) => {
                const isChosen = announceBefore.includes(seconds);
                return (
                  <Chip
                    variant="light"
                    key={seconds}
                    checked={isChosen}
                    disabled={!isChosen && announceBefore.length >= maxAnnouncements}
                    onChange={() =>
                      set({
                        announceBefore: offered.filter((each) =>
                          each === seconds ? !isChosen : announceBefore.includes(each),
                        ),
                      })
                    }
                  >
                    {formats.duration(seconds)}
                  </Chip>
                );
              })}
            </div>
          </fieldset>
          <TextInput
            label={t('fields.countdownMessage')}
            description={t('fields.countdownMessageHint')}
            placeholder={t(`fields.default.${values.kind === 'stop' ? 'stop' : 'restart'}`)}
            maxLength={300}
            value={values.countdownMessage}
            error={faultAt(error, '/action/countdown/message')}
            onChange={({ currentTarget }) => set({ countdownMessage: currentTarget.value })}
          />
        </>
      )}
    </>
  );
}
