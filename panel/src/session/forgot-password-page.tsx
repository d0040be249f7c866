// Requests a link for choosing a new password.
import { Alert, Stack, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { faultAt } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { Form } from '../shared/form.tsx';
import { useTexts } from '../texts/texts.ts';
import { Gate } from './gate.tsx';

export function ForgotPasswordPage() {
  const t = useTexts('session');
  const [email, setEmail] = useState('');
  const request = useWrite('POST /auth/forgot-password');
  return (
    <Gate title={t('forgot.title')} {...(!request.isSuccess && { lead: t('forgot.lead') })}>
      <Stack>
        {request.isSuccess ? (
          <Alert role="status">{t('forgot.done', { email })}</Alert>
        ) : (
          <Form
            submit={t('forgot.submit')}
            isPending={request.isPending}
            error={request.error}
            fields={['/email']}
            isNarrow
            onSubmit={(event) => {
              event.preventDefault();
              request.mutate({ body: { email } });
            }}
          >
            <TextInput
              label={t('signIn.email')}
              type="email"
              autoComplete="username"
              value={email}
              error={faultAt(request.error, '/email')}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
          </Form>
        )}
        <Link to="/sign-in">{t('forgot.back')}</Link>
      </Stack>
    </Gate>
  );
}
