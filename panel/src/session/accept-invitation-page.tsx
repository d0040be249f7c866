// The page behind the link of an invitation: it makes its reader a member of the license.
import { Alert, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { faultAt } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { Form } from '../shared/form.tsx';
import { useTexts } from '../texts/texts.ts';
import { Gate } from './gate.tsx';
import { forgetLinkToken, useLinkToken } from './link-token.ts';
import { PasswordField } from './password-field.tsx';

export function AcceptInvitationPage() {
  const t = useTexts('session');
  const token = useLinkToken();
  const [password, setPassword] = useState('');
  const accept = useWrite('POST /auth/invitations/accept', { onDone: forgetLinkToken });
  if (accept.data !== undefined)
    return (
      <Gate title={t('invitation.done', { license: accept.data.license_name, role: accept.data.role })}>
        <Button component={Link} to="/" fullWidth>
          {t('invitation.signIn')}
        </Button>
      </Gate>
    );
  return (
    <Gate title={t('invitation.title')} lead={t('invitation.lead')}>
      {token === '' ? (
        <Alert color="yellow">{t('invitation.noToken')}</Alert>
      ) : (
        <Form
          submit={t('invitation.submit')}
          isPending={accept.isPending}
          error={accept.error}
          fields={['/password']}
          isNarrow
          onSubmit={(event) => {
            event.preventDefault();
            accept.mutate({ body: { token, ...(password !== '' && { password }) } });
          }}
        >
          <PasswordField
            label={t('invitation.password')}
            value={password}
            onChange={setPassword}
            fault={faultAt(accept.error, '/password')}
          />
        </Form>
      )}
    </Gate>
  );
}
