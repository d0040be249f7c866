// The name and URL of a webhook.
import { TextInput } from '@mantine/core';
import { faultAt, hasCode, problemOf } from '../api/problem.ts';
import { useTexts } from '../texts/texts.ts';

export interface Destination {
  name: string;
  url: string;
}

interface WebhookFieldsProps {
  values: Destination;
  error: Error | null;
  onChange: (change: Partial<Destination>) => void;
}

export function WebhookFields({ values, error, onChange }: WebhookFieldsProps) {
  const t = useTexts('webhooks');
  return (
    <>
      <TextInput
        label={t('fields.url')}
        description={t('fields.urlHint')}
        placeholder="https://"
        type="url"
        maxLength={2_000}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={values.url}
        error={faultAt(error, '/url')}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
      <TextInput
        label={t('fields.name')}
        description={t('fields.nameHint')}
        maxLength={100}
        autoComplete="off"
        value={values.name}
        error={hasCode(error, 'name_taken') ? problemOf(error)?.detail : faultAt(error, '/name')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
    </>
  );
}

/** Where forms mark faults; single events have pointers below theirs. */
export const pointers: readonly string[] = [
  '/name',
  '/url',
  '/events',
  ...Array.from({ length: 50 }, (_, index) => `/events/${index}`),
];
