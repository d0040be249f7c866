// The page behind the link that the server prints at its first start: it creates the first user.
import { Alert, TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { faultAt } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { Form } from '../shared/form.tsx';
import { useTexts } from '../texts/texts.ts';
import { Gate } from './gate.tsx';
import { useLinkToken } from './link-token.ts';
import { PasswordField } from './password-field.tsx';
import { session } from './session.ts';

export function SetupPage() {
  const t = useTexts('session');
  const router = useRouter();
  const token = useLinkToken();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const create = useWrite('POST /auth/bootstrap');
  const [failure, setFailure] = useState<Error | null>(null);
  const submit = async () => {
    const body = { setup_token: token, email, password };
    // The user exists after the first press; another one only signs in.
    const signedIn = create.data ?? (await create.mutateAsync({ body }).catch(() => undefined));
    if (signedIn === undefined) return;
    try {
      await session.adopt(signedIn);
      await router.navigate({ to: '/' });
    } catch (error) {
      setFailure(error as Error);
    }
  };
  return (
    <Gate title={t('setup.title')} lead={t('setup.lead')}>
      {token === '' ? (
        <Alert color="yellow">{t('setup.noToken')}</Alert>
      ) : (
        <Form
          submit={t('setup.submit')}
          isPending={create.isPending}
          error={create.error ?? failure}
          fields={['/email', '/password']}
          isNarrow
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <TextInput
            label={t('signIn.email')}
            type="email"
            autoComplete="username"
            value={email}
            error={faultAt(create.error, '/email')}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordField
            label={t('newPassword')}
            value={password}
            onChange={setPassword}
            fault={faultAt(create.error, '/password')}
          />
        </Form>
      )}
    </Gate>
  );
}
