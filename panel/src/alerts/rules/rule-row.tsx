// One rule: whether it is on, how severe its alerts are, and its condition.
import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { faultAt } from '../../api/problem.ts';
import { NumberField } from '../../shared/number-field.tsx';
import { useTexts } from '../../texts/texts.ts';
import { severities } from '../alert-search.ts';
import { Severity } from '../severity.tsx';
import { emptyFields, numberFields, type FieldName, type RuleKind, type RuleValues } from './rule-fields.ts';
import { RuleSentence } from './rule-sentence.tsx';
import classes from './rules.module.css';

interface RuleRowProps {
  kind: RuleKind;
  values: RuleValues;
  /** Whether the stored rule is on, so that switching it off ends alerts. */
  isStoredOn: boolean;
  isReadOnly: boolean;
  error: Error | null;
  onChange: (change: Partial<RuleValues>) => void;
}

export function RuleRow({ kind, values, isStoredOn, isReadOnly, error, onChange }: RuleRowProps) {
  const t = useTexts('alerts');
  const name = t(`kinds.${kind}`);
  const faults = useFaults(kind, values, error);
  return (
    <li className={classes.rule} data-off={!values.is_enabled || undefined}>
      <div className={classes.head}>
        {isReadOnly ? (
          <span className={classes.name}>{name}</span>
        ) : (
          <Switch
            label={name}
            classNames={{ label: classes.name ?? '' }}
            checked={values.is_enabled}
            onChange={(event) => onChange({ is_enabled: event.currentTarget.checked })}
          />
        )}
        {isReadOnly ? (
          values.is_enabled ? (
            <Severity severity={values.severity} />
          ) : (
            <span className="dim">{t('rules.off')}</span>
          )
        ) : (
          <NativeSelect
            className={classes.severity ?? ''}
            aria-label={t('rules.severityOf', { name })}
            value={values.severity}
            disabled={!values.is_enabled}
            data={severities.map((value) => ({ value, label: t(`severities.${value}`) }))}
            onChange={(event) => onChange({ severity: event.currentTarget.value as RuleValues['severity'] })}
          />
        )}
      </div>
      <RuleSentence
        kind={kind}
        place={(field) =>
          isReadOnly ? (
            <strong>{values[field] ?? t('rules.shipped')}</strong>
          ) : (
            <Field
              kind={kind}
              name={field}
              values={values}
              isFaulty={faults.some(([faulty]) => faulty === field)}
              onChange={onChange}
            />
          )
        }
      />
      {faults.map(([field, text]) => (
        <p key={field} className={classes.fault} role="alert">
          {t(`rules.fields.${field}`)}: {text}
        </p>
      ))}
      {kind !== 'disk_full' && <p className="hint">{t(`rules.hints.${kind}`)}</p>}
      {isStoredOn && !values.is_enabled && <p className={classes.warning}>{t('rules.disables')}</p>}
    </li>
  );
}

function useFaults(kind: RuleKind, values: RuleValues, error: Error | null): [FieldName, string][] {
  const t = useTexts('alerts');
  const empty = emptyFields(kind, values);
  const names: FieldName[] = [...(Object.keys(numberFields[kind]) as FieldName[]), 'minimum_version'];
  return names.flatMap((name): [FieldName, string][] => {
    const text = empty.includes(name) ? t('rules.number') : faultAt(error, `/rules/${kind}/${name}`);
    return text === undefined ? [] : [[name, text]];
  });
}

interface FieldProps {
  kind: RuleKind;
  name: FieldName;
  values: RuleValues;
  isFaulty: boolean;
  onChange: (change: Partial<RuleValues>) => void;
}

function Field({ kind, name, values, isFaulty, onChange }: FieldProps) {
  const t = useTexts('alerts');
  const limits = numberFields[kind][name];
  const value = values[name] ?? '';
  const label = `${t(`kinds.${kind}`)}: ${t(`rules.fields.${name}`)}`;
  if (limits === undefined)
    return (
      <TextInput
        className={classes.version ?? ''}
        aria-label={label}
        placeholder={t('rules.shipped')}
        value={value}
        error={isFaulty}
        disabled={!values.is_enabled}
        spellCheck={false}
        maxLength={64}
        onChange={(event) =>
          onChange({ [name]: event.currentTarget.value === '' ? null : event.currentTarget.value })
        }
      />
    );
  return (
    <NumberField
      className={classes.number ?? ''}
      aria-label={label}
      value={value}
      error={isFaulty}
      disabled={!values.is_enabled}
      isMarkedOnly
      min={limits.min}
      max={limits.max}
      step={limits.step}
      isWhole={limits.isWhole}
      onChange={(next) => onChange({ [name]: next })}
    />
  );
}
