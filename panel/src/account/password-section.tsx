// Changes the password.
import { Alert, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { useMe } from '../api/me.ts';
import { faultAt, hasCode, problemOf } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { PasswordField } from '../session/password-field.tsx';
import { Form } from '../shared/form.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './account.module.css';

export function PasswordSection() {
  const t = useTexts('account');
  const session = useTexts('session');
  const me = useMe();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useWrite('POST /auth/change-password', {
    refreshes: ['/auth/sessions'],
    onDone: () => {
      setCurrent('');
      setNext('');
    },
  });
  const isWrong = hasCode(change.error, 'wrong_password');
  const isRefused = hasCode(change.error, 'weak_password', 'same_password');
  const detail = problemOf(change.error)?.detail;
  return (
    <Section title={t('password.title')} lead={t('password.lead')}>
      <div className={classes.narrow}>
        <Form
          submit={t('password.submit')}
          isPending={change.isPending}
          error={isWrong || isRefused ? null : change.error}
          fields={['/current_password', '/new_password']}
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate({ body: { current_password: current, new_password: next } });
          }}
        >
          {change.isSuccess && (
            <Alert color="green" role="status">
              {t('password.done')}
            </Alert>
          )}
          {/* Password managers store the new password with this name. */}
          <input
            className="visuallyHidden"
            type="text"
            autoComplete="username"
            value={me.email}
            readOnly
            tabIndex={-1}
            aria-hidden="true"
          />
          <PasswordInput
            label={t('password.current')}
            autoComplete="current-password"
            value={current}
            error={isWrong ? detail : faultAt(change.error, '/current_password')}
            visibilityToggleButtonProps={{ 'aria-label': session('showPassword') }}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <PasswordField
            label={t('password.new')}
            value={next}
            onChange={setNext}
            fault={isRefused ? detail : faultAt(change.error, '/new_password')}
          />
        </Form>
      </div>
    </Section>
  );
}
