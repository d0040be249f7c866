// The field for a new password, which can be shown: that prevents more mistakes than typing it twice.
import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../texts/texts.ts';

interface PasswordFieldProps {
  label: string;
  value: string;
  onChange: (password: string) => void;
  /** The platform's objection. */
  fault: string | undefined;
}

export function PasswordField({ label, value, onChange, fault }: PasswordFieldProps) {
  const t = useTexts('session');
  const [isVisible, setIsVisible] = useState(false);
  return (
    <PasswordInput
      label={label}
      description={t('passwordHint')}
      autoComplete="new-password"
      value={value}
      error={fault}
      visible={isVisible}
      onVisibilityChange={setIsVisible}
      visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
