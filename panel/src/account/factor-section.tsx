// Turns two-factor authentication on and off.
import { Badge, Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { CopyField } from '@gantry/ui/copy-field.tsx';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../api/operations.ts';
import { faultAt, hasCode, problemOf } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { Form } from '../shared/form.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './account.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';

export function FactorSection({ isOn }: { isOn: boolean }) {
  const t = useTexts('account');
  const [setup, setSetup] = useState<Schemas['TotpSetup'] | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isDisabling, setIsDisabling] = useState(false);
  const begin = useWrite('POST /auth/2fa/setup', { onDone: setSetup });
  return (
    <Section
      title={t('factor.title')}
      lead={isOn ? t('factor.leadOn') : t('factor.leadOff')}
      aside={
        <Badge color={isOn ? 'green' : 'gray'} variant="light">
          {isOn ? t('factor.on') : t('factor.off')}
        </Badge>
      }
    >
      {codes !== null && <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />}
      {codes === null && isOn && (
        <Button variant="default" onClick={() => setIsDisabling(true)}>
          {t('factor.disable')}
        </Button>
      )}
      {codes === null && !isOn && setup !== null && (
        <SetupForm
          setup={setup}
          onEnabled={(fresh) => {
            setSetup(null);
            setCodes(fresh);
          }}
        />
      )}
      {codes === null && !isOn && setup === null && (
        <Stack align="flex-start">
          <Button loading={begin.isPending} onClick={() => begin.mutate({})}>
            {t('factor.setUp')}
          </Button>
          <ProblemAlert error={begin.error} />
        </Stack>
      )}
      <DisableDialog isOpen={isDisabling} onClose={() => setIsDisabling(false)} />
    </Section>
  );
}

interface SetupFormProps {
  setup: Schemas['TotpSetup'];
  onEnabled: (codes: string[]) => void;
}

function SetupForm({ setup, onEnabled }: SetupFormProps) {
  const t = useTexts('account');
  const [code, setCode] = useState('');
  const enable = useWrite('POST /auth/2fa/verify', {
    refreshes: ['/auth/me', '/auth/sessions'],
    onDone: ({ recovery_codes }) => onEnabled(recovery_codes),
  });
  const isWrong = hasCode(enable.error, 'invalid_code');
  return (
    <div className={classes.setup}>
      <img className={classes.qr} src={setup.qr_code} alt={t('factor.qr')} />
      <Stack gap="md">
        <p className="hint">{t('factor.scan')}</p>
        <CopyField value={setup.secret} label={t('factor.secret')} action={t('factor.copySecret')} />
        <Form
          submit={t('factor.enable')}
          isPending={enable.isPending}
          error={isWrong ? null : enable.error}
          fields={['/code']}
          onSubmit={(event) => {
            event.preventDefault();
            enable.mutate({ body: { code: code.trim() } });
          }}
        >
          <TextInput
            label={t('factor.code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            error={isWrong ? problemOf(enable.error)?.detail : faultAt(enable.error, '/code')}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        </Form>
      </Stack>
    </div>
  );
}

function DisableDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTexts('account');
  const [code, setCode] = useState('');
  const disable = useWrite('POST /auth/2fa/disable', {
    refreshes: ['/auth/me', '/auth/sessions'],
    onDone: () => {
      setCode('');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('factor.disableTitle')}
      action={t('factor.disable')}
      isDangerous
      isPending={disable.isPending}
      problem={<ProblemAlert error={disable.error} />}
      onConfirm={() => disable.mutate({ body: { code: code.trim() } })}
      onClose={onClose}
    >
      <p>{t('factor.disableLead')}</p>
      <Group grow>
        <TextInput
          label={t('factor.disableCode')}
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      </Group>
    </ConfirmDialog>
  );
}
