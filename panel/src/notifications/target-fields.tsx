// The fields that a target needs, by kind.
import { TextInput } from '@mantine/core';
import { faultAt } from '../api/problem.ts';
import { useTexts } from '../texts/texts.ts';
import type { ChannelKind, TargetFields as Fields } from './channel.ts';

interface TargetFieldsProps {
  kind: ChannelKind;
  values: Fields;
  error: Error | null;
  onChange: (change: Partial<Fields>) => void;
}

type FieldText = 'url' | 'address' | 'server' | 'topic' | 'token' | 'appToken' | 'user';

const fieldsOf: Readonly<Record<ChannelKind, readonly (readonly [keyof Fields, FieldText])[]>> = {
  chat_webhook: [['url', 'url']],
  email: [['address', 'address']],
  ntfy: [
    ['server', 'server'],
    ['topic', 'topic'],
    ['token', 'token'],
  ],
  pushover: [
    ['token', 'appToken'],
    ['user', 'user'],
  ],
};

export function TargetFields({ kind, values, error, onChange }: TargetFieldsProps) {
  const t = useTexts('notifications');
  return fieldsOf[kind].map(([name, text]) => (
    <TextInput
      key={name}
      label={t(`fields.${text}`)}
      description={t(`fields.${text}Hint`)}
      value={values[name]}
      error={faultAt(error, `/target/${name}`)}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...(kind === 'email' && { type: 'email' })}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  ));
}
