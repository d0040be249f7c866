// What every channel has: its name, the alerts that it gets, and its own text.
import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { faultAt, hasCode, problemOf } from '../api/problem.ts';
import { useTexts } from '../texts/texts.ts';
import { templateFields, type Channel } from './channel.ts';
import classes from './notifications.module.css';

export interface General {
  name: string;
  least_severity: Channel['least_severity'];
  /** Empty for the platform's text. */
  template: string | null;
}

interface GeneralFieldsProps {
  values: General;
  error: Error | null;
  onChange: (change: Partial<General>) => void;
}

const least = ['Info', 'Warning', 'Critical'] as const;

export function GeneralFields({ values, error, onChange }: GeneralFieldsProps) {
  const t = useTexts('notifications');
  return (
    <>
      <TextInput
        label={t('fields.name')}
        description={t('fields.nameHint')}
        maxLength={100}
        autoComplete="off"
        value={values.name}
        error={hasCode(error, 'name_taken') ? problemOf(error)?.detail : faultAt(error, '/name')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('fields.least')}
        value={values.least_severity}
        error={faultAt(error, '/least_severity')}
        data={least.map((value) => ({ value, label: t(`least.${value}`) }))}
        onChange={(event) =>
          onChange({ least_severity: event.currentTarget.value as General['least_severity'] })
        }
      />
      <Switch
        label={t('fields.templateToggle')}
        checked={values.template !== null}
        onChange={(event) =>
          onChange({ template: event.currentTarget.checked ? '{{severity}}: {{message}}' : null })
        }
      />
      {values.template !== null && (
        <Textarea
          label={t('fields.template')}
          description={
            <>
              {t('fields.templateHint')}{' '}
              <span className={classes.fields}>
                {templateFields.map((name) => (
                  <code key={name}>{`{{${name}}}`}</code>
                ))}
              </span>
            </>
          }
          autosize
          minRows={2}
          maxRows={10}
          maxLength={1_500}
          value={values.template}
          error={faultAt(error, '/template')}
          onChange={(event) => onChange({ template: event.currentTarget.value })}
        />
      )}
    </>
  );
}

/** As the platform takes it: an emptied text is the platform's own. */
export const generalOf = ({ name, least_severity, template }: General) => ({
  name: name.trim(),
  least_severity,
  template: template === null || template.trim() === '' ? null : template,
});
