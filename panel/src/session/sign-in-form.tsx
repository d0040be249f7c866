// Signs a user in with e-mail address and password, and with a code where there is a second factor.
import { PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/operations.ts';
import { faultAt } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { Form } from '../shared/form.tsx';
import { useTexts } from '../texts/texts.ts';
import { session } from './session.ts';

interface SignInFormProps {
  /** The license to continue in; the platform chooses one unless given. */
  licenseId?: string | null;
  email?: string;
  onSignedIn: () => void;
}

export function SignInForm({ licenseId, email: knownEmail = '', onSignedIn }: SignInFormProps) {
  const t = useTexts('session');
  const [email, setEmail] = useState(knownEmail);
  const [password, setPassword] = useState('');
  const [challenge, setChallenge] = useState<Schemas['SignInChallenge'] | null>(null);
  const signIn = useWrite('POST /auth/login');
  const [failure, setFailure] = useState<Error | null>(null);
  const [isEntering, setIsEntering] = useState(false);

  const enter = async (signedIn: Schemas['Session']) => {
    setFailure(null);
    setIsEntering(true);
    try {
      await session.adopt(signedIn);
      onSignedIn();
    } catch (error) {
      setFailure(error as Error);
      setIsEntering(false);
    }
  };
  const submit = async () => {
    setFailure(null);
    const body = { email, password, ...(typeof licenseId === 'string' && { license_id: licenseId }) };
    const reply = await signIn.mutateAsync({ body }).catch(() => undefined);
    if (reply?.session) await enter(reply.session);
    else if (reply?.challenge) setChallenge(reply.challenge);
  };

  if (challenge !== null)
    return (
      <CodeForm
        challenge={challenge}
        failure={failure}
        isEntering={isEntering}
        onSession={enter}
        onOther={() => {
          setFailure(null);
          setChallenge(null);
        }}
      />
    );
  return (
    <Form
      submit={t('signIn.submit')}
      isPending={signIn.isPending || isEntering}
      error={signIn.error ?? failure}
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
        required
        withAsterisk={false}
        readOnly={knownEmail !== ''}
        value={email}
        error={faultAt(signIn.error, '/email')}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        label={t('signIn.password')}
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus={knownEmail !== '' || undefined}
        value={password}
        error={faultAt(signIn.error, '/password')}
        visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </Form>
  );
}

interface CodeFormProps {
  challenge: Schemas['SignInChallenge'];
  /** Why the session of a right code could not be entered. */
  failure: Error | null;
  isEntering: boolean;
  onSession: (signedIn: Schemas['Session']) => Promise<void>;
  onOther: () => void;
}

function CodeForm({ challenge, failure, isEntering, onSession, onOther }: CodeFormProps) {
  const t = useTexts('session');
  const [code, setCode] = useState('');
  const signIn = useWrite('POST /auth/login/totp');
  const submit = async () => {
    const body = { challenge_token: challenge.token, code: code.trim() };
    const reply = await signIn.mutateAsync({ body }).catch(() => undefined);
    if (reply !== undefined) await onSession(reply);
  };
  return (
    <Form
      submit={t('signIn.submitCode')}
      isPending={signIn.isPending || isEntering}
      error={signIn.error ?? failure}
      fields={['/code']}
      isNarrow
      others={
        <button type="button" className="link" onClick={onOther}>
          {t('signIn.other')}
        </button>
      }
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p className="hint">{t('signIn.codeLead')}</p>
      <TextInput
        label={t('signIn.code')}
        description={t('signIn.codeHint')}
        autoComplete="one-time-code"
        inputMode="text"
        data-autofocus
        autoFocus
        value={code}
        error={faultAt(signIn.error, '/code')}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </Form>
  );
}
