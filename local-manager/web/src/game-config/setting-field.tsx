// A setting as a field of its type, with its default and the servers' value.
import { PasswordInput, NativeSelect, TextInput } from '@mantine/core';
import classes from './game-config.module.css';
import { wrongNumber, type Setting } from './drafts.ts';

interface SettingFieldProps {
  setting: Setting;
  /** The unsaved value; undefined without a change. */
  draft: string | null | undefined;
  isDriftKnown: boolean;
  /** The manager's error about the value. */
  error: string | undefined;
  onChange: (value: string | null) => void;
}

export function SettingField({ setting, draft, isDriftKnown, error, onChange }: SettingFieldProps) {
  const value = draft === undefined ? setting.value : draft;
  const isDifferent = isDriftKnown && setting.serverValue !== setting.value;
  return (
    <div className={classes.field}>
      <Control
        setting={setting}
        value={value}
        isChanged={draft !== undefined}
        error={(draft === undefined ? undefined : wrongNumber(setting, draft)) ?? error}
        onChange={onChange}
      />
      <div className={classes.note}>
        <span>{value === null ? defaultInWords(setting) : setting.key}</span>
        {value !== null && setting.type !== 'boolean' && (
          <button type="button" className={classes.unset} onClick={() => onChange(null)}>
            {setting.default === null ? 'Remove' : `Reset to the default, ${setting.default}`}
          </button>
        )}
        {isDifferent && (
          <span className={classes.differs}>The servers have {serverValueInWords(setting)}</span>
        )}
      </div>
    </div>
  );
}

function defaultInWords({ default: fallback, type }: Setting): string {
  if (fallback === null) return 'Not set: the game’s default';
  return `Not set: the game takes ${type === 'boolean' ? yesOrNo(fallback) : fallback}`;
}

function serverValueInWords({ serverValue, isSecret, type }: Setting): string {
  if (serverValue === null) return 'none';
  if (isSecret) return 'another one';
  return type === 'boolean' ? yesOrNo(serverValue) : serverValue;
}

/** Hints are below, so that the fields of a row are aligned. */
const order = ['label', 'input', 'description', 'error'] as const;

interface ControlProps {
  setting: Setting;
  value: string | null;
  isChanged: boolean;
  error: string | undefined;
  onChange: (value: string | null) => void;
}

function Control({ setting, value, isChanged, error, onChange }: ControlProps) {
  const { label, type, isSecret } = setting;
  const common = { label, description: descriptionOf(setting, error), inputWrapperOrder: [...order], error };
  if (isSecret) {
    // A stored secret is never returned; an empty field leaves it unchanged.
    return (
      <PasswordInput
        {...common}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': `Show ${label}` }}
        placeholder={value === null ? 'Not set' : '••• is set'}
        maxLength={200}
        value={isChanged ? (value ?? '') : ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  switch (type) {
    case 'boolean':
      return (
        <NativeSelect
          {...common}
          value={value ?? ''}
          onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
          data={[
            {
              value: '',
              label: setting.default === null ? 'Default' : `Default (${yesOrNo(setting.default)})`,
            },
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
          ]}
        />
      );
    case 'integer':
    case 'decimal':
      return (
        <TextInput
          {...common}
          inputMode={type === 'integer' ? 'numeric' : 'decimal'}
          maxLength={20}
          {...(setting.default !== null && { placeholder: setting.default })}
          value={value ?? ''}
          onChange={({ currentTarget: { value: typed } }) => onChange(typed === '' ? null : typed.trim())}
        />
      );
    case 'text':
      return (
        <TextInput
          {...common}
          maxLength={200}
          {...(setting.default !== null && { placeholder: setting.default })}
          value={value ?? ''}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
  }
}

/** An error names the range itself. */
function descriptionOf({ hint, minimum, maximum }: Setting, error: string | undefined): string | null {
  const hasRange = minimum !== null && maximum !== null && error === undefined;
  const range = hasRange ? `From ${minimum} to ${maximum}.` : null;
  return [hint, range].filter((part) => part !== null).join(' ') || null;
}

const yesOrNo = (value: string): string => (value === 'true' ? 'yes' : 'no');
