// Creates an API key, and shows its secret once.
import { useState } from 'react';
import type { Schemas } from '../api/operations.ts';
import { useWrite } from '../api/writing.ts';
import { BackLink } from '../shared/back-link.tsx';
import { Page } from '../shared/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { KeyForm } from './key-form.tsx';
import { KeySecret } from './key-secret.tsx';

export function NewApiKeyPage() {
  const t = useTexts('api-keys');
  const [created, setCreated] = useState<Schemas['CreatedApiKey'] | null>(null);
  const create = useWrite('POST /api/api-keys', {
    refreshes: ['/api/api-keys'],
    onDone: setCreated,
  });
  return (
    <Page
      title={t('new.title')}
      {...(created === null && { lead: t('new.lead') })}
      above={<BackLink to="/api-keys">{t('back')}</BackLink>}
    >
      {created === null ? (
        <KeyForm
          isPending={create.isPending}
          error={create.error}
          onSubmit={(body) => create.mutate({ body })}
        />
      ) : (
        <KeySecret created={created} />
      )}
    </Page>
  );
}
