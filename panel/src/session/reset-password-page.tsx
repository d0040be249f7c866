// The page behind the link of a message: it sets the password of the account that the link is for.
import { Alert, Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { faultAt } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { Form } from '../shared/form.tsx';
import { useTexts } from '../texts/texts.ts';
import { Gate } from './gate.tsx';
import { forgetLinkToken, useLinkToken } from './link-token.ts';
import { PasswordField } from './password-field.tsx';

export function ResetPasswordPage() {
  const t = useTexts('session');
  const token = useLinkToken();
  const [password, setPassword] = useState('');
  const reset = useWrite('POST /auth/reset-password', { onDone: forgetLinkToken });
  if (reset.isSuccess)
    return (
      <Gate title={t('reset.done')}>
        <Button component={Link} to="/sign-in" fullWidth>
          {t('reset.signIn')}
        </Button>
      </Gate>
    );
  return (
    <Gate title={t('reset.title')} lead={t('reset.lead')}>
      {token === '' ? (
        <Stack>
          <Alert color="yellow">{t('reset.noToken')}</Alert>
          <Link to="/forgot-password">{t('forgot.submit')}</Link>
        </Stack>
      ) : (
        <Form
          submit={t('reset.submit')}
          isPending={reset.isPending}
          error={reset.error}
          fields={['/password']}
          isNarrow
          onSubmit={(event) => {
            event.preventDefault();
            reset.mutate({ body: { token, password } });
          }}
        >
          <PasswordField
            label={t('newPassword')}
            value={password}
            onChange={setPassword}
            fault={faultAt(reset.error, '/password')}
          />
        </Form>
      )}
    </Gate>
  );
}
