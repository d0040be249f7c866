// Dialogs over any page: confirm your identity, sign in again, and follow another tab.
import { Button, Group, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { useMe } from '../api/me.ts';
import { useWork, useWrite } from '../api/writing.ts';
import { Form } from '../shared/form.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { session, usePhase } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';
import { endStepUp, useIsStepUpWanted } from './step-up.ts';

export function SessionDialogs() {
  const t = useTexts('session');
  const me = useMe();
  const phase = usePhase();
  const isStepUpWanted = useIsStepUpWanted();
  return (
    <>
      <Dialog isOpen={isStepUpWanted} title={t('stepUp.title')} onClose={() => endStepUp(false)}>
        <StepUpForm isCodeNeeded={me.is_second_factor_on} />
      </Dialog>
      <Dialog isOpen={phase === 'ended'} title={t('ended.title')} isMandatory onClose={() => undefined}>
        <p className="hint">{t('ended.lead')}</p>
        <div className="dialogForm">
          <SignInForm email={me.email} licenseId={session.licenseId} onSignedIn={() => undefined} />
          <p className="afterForm">
            <button type="button" className="link" onClick={() => window.location.assign('/sign-in')}>
              {t('ended.leave')}
            </button>
          </p>
        </div>
      </Dialog>
      <Dialog isOpen={phase === 'moved'} title={t('moved.title')} isMandatory onClose={() => undefined}>
        <Moved />
      </Dialog>
    </>
  );
}

function Moved() {
  const t = useTexts('session');
  const me = useMe();
  const back = useWork(() => session.moveBack());
  const license = me.licenses.find(({ license_id }) => license_id === session.licenseId);
  return (
    <>
      {/* Holds the focus, so that Enter from a line that was being typed chooses nothing. */}
      <p className="hint" tabIndex={-1} data-autofocus>
        {t('moved.lead')}
      </p>
      <ProblemAlert error={back.error} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => window.location.assign('/')}>
          {t('moved.reload')}
        </Button>
        {session.canMoveBack && license !== undefined && (
          <Button loading={back.isPending} onClick={() => back.mutate(undefined)}>
            {t('moved.back', { name: license.name })}
          </Button>
        )}
      </Group>
    </>
  );
}

function StepUpForm({ isCodeNeeded }: { isCodeNeeded: boolean }) {
  const t = useTexts('session');
  const common = useTexts('common');
  const [secret, setSecret] = useState('');
  const stepUp = useWrite('POST /auth/step-up', {
    refreshes: ['/auth/me'],
    onDone: () => endStepUp(true),
  });
  return (
    <>
      <p className="hint">{t('stepUp.lead')}</p>
      <div className="dialogForm">
        <Form
          submit={t('stepUp.submit')}
          isPending={stepUp.isPending}
          error={stepUp.error}
          others={
            <Button variant="default" onClick={() => endStepUp(false)}>
              {common('actions.cancel')}
            </Button>
          }
          onSubmit={(event) => {
            event.preventDefault();
            stepUp.mutate({ body: isCodeNeeded ? { code: secret.trim() } : { password: secret } });
          }}
        >
          {isCodeNeeded ? (
            <TextInput
              label={t('stepUp.code')}
              autoComplete="one-time-code"
              value={secret}
              onChange={(event) => setSecret(event.currentTarget.value)}
            />
          ) : (
            <PasswordInput
              label={t('stepUp.password')}
              autoComplete="current-password"
              value={secret}
              visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
              onChange={(event) => setSecret(event.currentTarget.value)}
            />
          )}
        </Form>
      </div>
    </>
  );
}
