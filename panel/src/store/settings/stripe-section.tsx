// Connects the license's own Stripe account. Its secrets are sent, and never shown again.
import { Alert, Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { CopyField } from '@gantry/ui/copy-field.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import { faultAt } from '../../api/problem.ts';
import { useWrite } from '../../api/writing.ts';
import { Form } from '../../shared/form.tsx';
import { useFormats } from '../../shared/formats.ts';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import classes from './settings.module.css';

/** What Stripe has to send, as the contract says. */
const webhookEvents = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'charge.refunded',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
];

/** `undefined` on an installation that does not know Stripe. */
export function StripeSection({ stripe }: { stripe: Schemas['PaymentProvider'] | undefined }) {
  const t = useTexts('store');
  if (stripe?.is_allowed !== true) return null;
  return (
    <Section
      title={t('stripe.title')}
      lead={t('stripe.lead')}
      aside={
        <StateText tone={stripe.is_ready ? 'good' : 'idle'}>
          {stripe.is_ready ? (stripe.is_test ? t('stripe.test') : t('stripe.live')) : t('stripe.none')}
        </StateText>
      }
    >
      <Account stripe={stripe} />
    </Section>
  );
}

function Account({ stripe }: { stripe: Schemas['PaymentProvider'] }) {
  const t = useTexts('store');
  const formats = useFormats();
  const mayConnect = useMay('PUT /api/webstore/providers/stripe');
  const [isReplacing, setIsReplacing] = useState(false);
  return (
    <div className="stack">
      {stripe.updated_at !== null && (
        <Facts facts={[[t('stripe.set'), formats.dateTime(stripe.updated_at)]]} />
      )}
      {stripe.webhook_url !== null && (
        <div>
          <p className="sentence">{t('stripe.webhook')}</p>
          <CopyField value={stripe.webhook_url} label={t('stripe.webhookUrl')} action={t('stripe.copy')} />
          <p className="hint afterForm">{t('stripe.events')}</p>
          <ul className={classes.events}>
            {webhookEvents.map((name) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      {mayConnect &&
        (stripe.is_ready && !isReplacing ? (
          <div className="actions">
            <Button variant="default" onClick={() => setIsReplacing(true)}>
              {t('stripe.replace')}
            </Button>
            <Disconnect />
          </div>
        ) : (
          <Connect isReplacing={isReplacing} onClose={() => setIsReplacing(false)} />
        ))}
    </div>
  );
}

function Connect({ isReplacing, onClose }: { isReplacing: boolean; onClose: () => void }) {
  const t = useTexts('store');
  const common = useTexts('common');
  const [secretKey, setSecretKey] = useState('');
  const [webhookSecret, setWebhookSecret] = useState('');
  const connect = useWrite('PUT /api/webstore/providers/stripe', {
    refreshes: ['/api/webstore/providers', '/api/webstore/config'],
    onDone: () => {
      setSecretKey('');
      setWebhookSecret('');
      onClose();
    },
  });
  return (
    <Form
      submit={isReplacing ? t('stripe.replaceSubmit') : t('stripe.connect')}
      isPending={connect.isPending}
      isDisabled={secretKey.trim() === '' || webhookSecret.trim() === ''}
      error={connect.error}
      fields={['/secret_key', '/webhook_secret']}
      others={
        isReplacing && (
          <Button variant="default" onClick={onClose}>
            {common('actions.cancel')}
          </Button>
        )
      }
      onSubmit={(event) => {
        event.preventDefault();
        connect.mutate({ body: { secret_key: secretKey.trim(), webhook_secret: webhookSecret.trim() } });
      }}
    >
      <UnsavedGuard isUnsaved={secretKey !== '' || webhookSecret !== ''} />
      <PasswordInput
        label={t('stripe.secretKey')}
        description={t('stripe.secretKeyHint')}
        autoComplete="off"
        maxLength={300}
        value={secretKey}
        error={faultAt(connect.error, '/secret_key')}
        visibilityToggleButtonProps={{ 'aria-label': t('stripe.show') }}
        onChange={(event) => setSecretKey(event.currentTarget.value)}
      />
      <PasswordInput
        label={t('stripe.webhookSecret')}
        description={t('stripe.webhookSecretHint')}
        autoComplete="off"
        maxLength={300}
        value={webhookSecret}
        error={faultAt(connect.error, '/webhook_secret')}
        visibilityToggleButtonProps={{ 'aria-label': t('stripe.show') }}
        onChange={(event) => setWebhookSecret(event.currentTarget.value)}
      />
      {isReplacing && <Alert color="yellow">{t('stripe.replaceHint')}</Alert>}
    </Form>
  );
}

function Disconnect() {
  const t = useTexts('store');
  const [isAsking, setIsAsking] = useState(false);
  const disconnect = useWrite('DELETE /api/webstore/providers/stripe', {
    refreshes: ['/api/webstore/providers', '/api/webstore/config'],
    onDone: () => setIsAsking(false),
  });
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {t('stripe.disconnect')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('stripe.disconnectTitle')}
        action={t('stripe.disconnect')}
        isDangerous
        isPending={disconnect.isPending}
        problem={<ProblemAlert error={disconnect.error} />}
        onConfirm={() => disconnect.mutate({})}
        onClose={() => setIsAsking(false)}
      >
        <p>{t('stripe.disconnectDetail')}</p>
      </ConfirmDialog>
    </>
  );
}
