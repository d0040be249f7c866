// The secret of a new key, which is shown once.
import { Alert, Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { CopyField } from '@gantry/ui/copy-field.tsx';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../api/operations.ts';
import { UnsavedGuard } from '../shared/unsaved-guard.tsx';
import { useTexts } from '../texts/texts.ts';

export function KeySecret({ created: { id, name, key } }: { created: Schemas['CreatedApiKey'] }) {
  const t = useTexts('api-keys');
  const navigate = useNavigate();
  return (
    <>
      <UnsavedGuard
        isUnsaved
        words={{
          title: t('secret.leaveTitle'),
          detail: t('secret.leaveDetail'),
          leave: t('secret.leave'),
        }}
      />
      <Section title={t('secret.title', { name })}>
        <div className="stack">
          <Alert color="green" role="status">
            {t('secret.once')}
          </Alert>
          <CopyField value={key} label={t('secret.label')} action={t('secret.copy')} />
          <div>
            <Button
              onClick={() =>
                void navigate({ to: '/api-keys/$apiKeyId', params: { apiKeyId: id }, ignoreBlocker: true })
              }
            >
              {t('secret.done')}
            </Button>
          </div>
        </div>
      </Section>
      <Section title={t('secret.example')}>
        <CopyField
          value={`curl -H 'X-Api-Key: ${key}' ${window.location.origin}/api/fleet/instances`}
          label={t('secret.exampleLabel')}
          action={t('secret.copyExample')}
        />
      </Section>
    </>
  );
}
