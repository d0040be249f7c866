// Creates a license; users who may not do that learn how they get one.
import { TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { useMe } from '../api/me.ts';
import { mayCall } from '../api/may.ts';
import { faultAt } from '../api/problem.ts';
import { write, useWrite } from '../api/writing.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { Form } from '../shared/form.tsx';
import { Page } from '../shared/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { keepCompanionToken } from './companion-token.ts';
import { useEnterLicense } from './use-enter-license.ts';

export function NewLicensePage() {
  const t = useTexts('session');
  const me = useMe();
  const router = useRouter();
  const enter = useEnterLicense();
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<Error | null>(null);
  const create = useWrite('POST /api/admin/licenses');

  const submit = async () => {
    setFailure(null);
    const body = { name: name.trim() };
    // Another attempt after a failure below creates no second license.
    const license = create.data ?? (await create.mutateAsync({ body }).catch(() => undefined));
    if (license === undefined) return;
    try {
      keepCompanionToken(license.id, license.companion_token);
      await enter(await write('POST /auth/switch-license', { body: { license_id: license.id } }));
      await router.navigate({ to: '/hosts/add', search: { kind: 'trial' } });
    } catch (error) {
      setFailure(error as Error);
    }
  };

  if (!mayCall(me, 'POST /api/admin/licenses'))
    return (
      <Page title={t('license.noLicense')}>
        <EmptyState icon={KeyRound} title={t('license.noLicense')}>
          {t('license.noLicenseDetail', { email: me.email })}
        </EmptyState>
      </Page>
    );
  return (
    <Page title={t('license.title')} lead={t('license.lead')} width="narrow">
      <Section title={t('license.first')}>
        <Form
          submit={t('license.submit')}
          isPending={create.isPending || (create.isSuccess && failure === null)}
          isDisabled={name.trim() === ''}
          error={create.error ?? failure}
          fields={['/name']}
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <TextInput
            label={t('license.name')}
            required
            withAsterisk={false}
            placeholder={t('license.namePlaceholder')}
            value={name}
            maxLength={100}
            error={faultAt(create.error, '/name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </Form>
      </Section>
    </Page>
  );
}
