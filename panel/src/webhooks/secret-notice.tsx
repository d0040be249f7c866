// The new secret of a webhook, until it is stored.
import { Alert, Button, Group } from '@mantine/core';
import { useEffect } from 'react';
import { KeyRound } from 'lucide-react';
import { CopyField } from '@gantry/ui/copy-field.tsx';
import { docsLink } from '../session/docs-link.ts';
import { useFormats } from '../shared/formats.ts';
import { useTexts } from '../texts/texts.ts';
import { forgetSecret, useFreshSecret } from './fresh-secret.ts';
import type { Webhook } from './webhook.ts';

export function SecretNotice({ webhook: { id, previous_secret_ends_at } }: { webhook: Webhook }) {
  const t = useTexts('webhooks');
  const formats = useFormats();
  const secret = useFreshSecret(id);
  useEffect(() => {
    if (secret === undefined) return undefined;
    // Closing the tab would lose it permanently.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [secret]);
  if (secret === undefined) return null;
  return (
    <Alert color="green" role="status" icon={<KeyRound size={18} />} title={t('secret.fresh')}>
      <p className="sentence">
        {t('secret.lead')}
        {previous_secret_ends_at !== null &&
          ` ${t('secret.former', { date: formats.dateTime(previous_secret_ends_at) })}`}
      </p>
      <CopyField value={secret} label={t('secret.label')} action={t('secret.copy')} />
      <Group gap="sm" mt="sm">
        <Button variant="default" size="xs" onClick={() => forgetSecret(id)}>
          {t('secret.stored')}
        </Button>
        <Button {...docsLink('/api/docs/guides/webhooks')} variant="default" size="xs">
          {t('guide')}
        </Button>
      </Group>
    </Alert>
  );
}
