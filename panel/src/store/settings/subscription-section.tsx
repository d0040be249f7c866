// The license's subscription to the store: begun, confirmed at the payment provider, and cancelled.
import { Alert, Button, Loader, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import { useRead } from '../../api/reading.ts';
import { useWrite } from '../../api/writing.ts';
import { useFormats } from '../../shared/formats.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { useTexts } from '../../texts/texts.ts';
import { isLive, useSubscription } from '../use-store.ts';

type Subscription = Schemas['StoreSubscription'];

const tones: Record<Subscription['status'], Tone> = {
  trialing: 'good',
  active: 'good',
  past_due: 'bad',
  cancelled: 'idle',
  expired: 'idle',
};

export function SubscriptionSection() {
  const t = useTexts('store');
  const asked = useSubscription();
  const subscription = asked.data;
  return (
    <Section
      title={t('subscription.title')}
      lead={t('subscription.lead')}
      {...(subscription !== undefined &&
        subscription !== null && {
          aside: isUnconfirmed(subscription) ? (
            <StateText tone="busy">{t('subscription.unconfirmed')}</StateText>
          ) : (
            <StateText tone={tones[subscription.status]}>
              {t(`subscription.status.${subscription.status}`)}
            </StateText>
          ),
        })}
    >
      <Loaded asked={asked} waitingFor={t('subscription.title')} skeleton={<Skeleton height={90} />}>
        {(loaded) => (
          <div className="stack">
            {loaded !== null && <SubscriptionFacts subscription={loaded} />}
            {loaded !== null && isUnconfirmed(loaded) && <Confirmation subscription={loaded} />}
            {loaded === null || !isLive(loaded) ? <Subscribe /> : <Cancel subscription={loaded} />}
          </div>
        )}
      </Loaded>
    </Section>
  );
}

/** A trial that was confirmed opens the store. */
const isUnconfirmed = ({ status, opens_store }: Subscription): boolean =>
  status === 'trialing' && !opens_store;

function SubscriptionFacts({ subscription }: { subscription: Subscription }) {
  const t = useTexts('store');
  const formats = useFormats();
  const { price, period, started_at, ends_at, is_test } = subscription;
  return (
    <Facts
      facts={[
        [
          t('subscription.price'),
          `${t(`subscription.per.${period}`, { price: formats.money(price) })}${is_test ? ` · ${t('noMoney')}` : ''}`,
        ],
        [t('subscription.started'), formats.date(started_at)],
        [
          ends_at === null ? t('subscription.renews') : t('subscription.ends'),
          ends_at === null ? t('subscription.automatically') : formats.date(ends_at),
        ],
      ]}
    />
  );
}

function Subscribe() {
  const t = useTexts('store');
  const mayCreate = useMay('POST /api/webstore/subscription/create');
  const create = useWrite('POST /api/webstore/subscription/create', {
    refreshes: ['/api/webstore/subscription', '/api/webstore/config'],
  });
  if (!mayCreate) return <p className="hint">{t('subscription.noneForViewer')}</p>;
  return (
    <div>
      <Button loading={create.isPending} onClick={() => create.mutate({})}>
        {t('subscription.create')}
      </Button>
      <p className="hint afterForm">{t('subscription.createHint')}</p>
      <ProblemAlert error={create.error} />
    </div>
  );
}

/** How often a checkout that is being opened is looked for. */
const checkoutMs = 3_000;

function Confirmation({ subscription }: { subscription: Subscription }) {
  const t = useTexts('store');
  const mayConfirm = useMay('POST /api/webstore/subscription/sandbox');
  const confirm = useWrite('POST /api/webstore/subscription/sandbox', {
    refreshes: ['/api/webstore/subscription', '/api/webstore/config'],
  });
  if (!mayConfirm) return null;
  if (subscription.provider === 'sandbox')
    return (
      <Alert color="yellow" title={t('subscription.confirmTitle')}>
        <p className="sentence">{t('subscription.confirmTest')}</p>
        <Button
          size="xs"
          loading={confirm.isPending}
          onClick={() => confirm.mutate({ body: { status: 'active' } })}
        >
          {t('subscription.confirmTestAction')}
        </Button>
        <ProblemAlert error={confirm.error} />
      </Alert>
    );
  if (subscription.checkout_url === null) return <OpeningCheckout />;
  return (
    <Alert color="yellow" title={t('subscription.confirmTitle')}>
      <p className="sentence">{t('subscription.confirm')}</p>
      <Button component="a" size="xs" href={subscription.checkout_url}>
        {t('subscription.confirmAction')}
      </Button>
    </Alert>
  );
}

function OpeningCheckout() {
  const t = useTexts('store');
  useRead('/api/webstore/subscription', {}, { every: checkoutMs });
  return (
    <div role="status">
      <Loader size={16} /> {t('subscription.opening')}
    </div>
  );
}

function Cancel({ subscription }: { subscription: Subscription }) {
  const t = useTexts('store');
  const mayCancel = useMay('POST /api/webstore/subscription/cancel');
  const [isAsking, setIsAsking] = useState(false);
  const cancel = useWrite('POST /api/webstore/subscription/cancel', {
    refreshes: ['/api/webstore/subscription', '/api/webstore/config'],
    onDone: () => setIsAsking(false),
  });
  if (!mayCancel) return null;
  return (
    <div>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {t('subscription.cancel')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('subscription.cancelTitle')}
        action={t('subscription.cancel')}
        isDangerous
        isPending={cancel.isPending}
        problem={<ProblemAlert error={cancel.error} />}
        onConfirm={() => cancel.mutate({})}
        onClose={() => setIsAsking(false)}
      >
        <p>{isUnconfirmed(subscription) ? t('subscription.cancelNow') : t('subscription.cancelLater')}</p>
      </ConfirmDialog>
    </div>
  );
}
