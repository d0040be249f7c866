// Asks for the host key, and checks it before the portal opens.
import { Alert, Checkbox, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../api/problem.ts';
import { Gate } from '../session/gate.tsx';
import { Form } from '../shared/form.tsx';
import { useTexts } from '../texts/texts.ts';
import { clientWith } from './host-client.ts';
import { keepHostKey, useIsRefused } from './host-key.ts';

export function KeyGate() {
  const t = useTexts('reseller');
  const session = useTexts('session');
  const wasRefused = useIsRefused();
  const [key, setKey] = useState('');
  const [isRemembered, setIsRemembered] = useState(false);
  const check = useMutation({
    mutationFn: async (given: string) => {
      const client = clientWith(given);
      await client.GET('/api/host/licenses', { params: { query: { limit: 1 } } });
    },
    onSuccess: (_, given) => keepHostKey(given, isRemembered),
  });
  const isWrong = problemOf(check.error)?.status === 401;
  return (
    <Gate title={t('title')} lead={t('gate.lead')}>
      <Form
        submit={t('gate.open')}
        isNarrow
        isPending={check.isPending}
        isDisabled={key.trim() === ''}
        error={isWrong ? null : check.error}
        onSubmit={(event) => {
          event.preventDefault();
          if (key.trim() !== '') check.mutate(key.trim());
        }}
      >
        {wasRefused && check.status === 'idle' && (
          <Alert color="yellow" role="alert">
            {t('gate.refused')}
          </Alert>
        )}
        <PasswordInput
          label={t('gate.key')}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          maxLength={200}
          value={key}
          error={isWrong && t('gate.wrong')}
          visibilityToggleButtonProps={{ 'aria-label': session('showPassword') }}
          onChange={(event) => {
            check.reset();
            setKey(event.currentTarget.value);
          }}
        />
        <Checkbox
          label={t('gate.remember')}
          description={t('gate.rememberHint')}
          checked={isRemembered}
          onChange={(event) => setIsRemembered(event.currentTarget.checked)}
        />
      </Form>
      <p className="hint afterForm">{t('gate.help')}</p>
    </Gate>
  );
}
