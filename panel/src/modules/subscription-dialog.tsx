// One subscription: its periods, and its cancellation until the end of the paid one.
import { Button, Table } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages, useRead } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './modules.module.css';
import { usePriceWords } from './price-words.ts';

type Subscription = Schemas['ModuleSubscription'];

interface SubscriptionDialogProps {
  /** Empty while none is open. */
  subscriptionId: string;
  onClose: () => void;
}

export function SubscriptionDialog({ subscriptionId, onClose }: SubscriptionDialogProps) {
  const t = useTexts('modules');
  return (
    <Dialog isOpen={subscriptionId !== ''} title={t('subscription.title')} onClose={onClose}>
      <Details key={subscriptionId} subscriptionId={subscriptionId} onClose={onClose} />
    </Dialog>
  );
}

function Details({ subscriptionId, onClose }: SubscriptionDialogProps) {
  const t = useTexts('modules');
  const common = useTexts('common');
  const asked = useRead('/api/modules/subscriptions/{module_subscription_id}', {
    params: { path: { module_subscription_id: subscriptionId } },
  });
  return (
    <div className={classes.dialog}>
      <Loaded asked={asked} waitingFor={t('subscription.title')}>
        {(subscription) => (
          <>
            <SubscriptionFacts subscription={subscription} />
            <Periods subscriptionId={subscription.id} />
            <Change subscription={subscription} />
          </>
        )}
      </Loaded>
      <div className={classes.dialogActions}>
        <Button variant="default" onClick={onClose}>
          {common('actions.close')}
        </Button>
      </div>
    </div>
  );
}

function SubscriptionFacts({ subscription }: { subscription: Subscription }) {
  const t = useTexts('modules');
  const formats = useFormats();
  const words = usePriceWords();
  const { name, price, period, status, renews_at, ends_at, subscribed_by, started_at } = subscription;
  return (
    <Facts
      facts={[
        [t('subscriptions.module'), name],
        [t('subscriptions.state'), t(`subscriptions.status.${status}`)],
        [t('subscriptions.price'), words.per(price, period)],
        [
          t('subscriptions.next'),
          renews_at !== null
            ? t('subscriptions.renews', { date: formats.date(renews_at) })
            : ends_at !== null && t('subscriptions.ends', { date: formats.date(ends_at) }),
        ],
        [t('subscription.started'), formats.date(started_at)],
        [t('subscription.by'), subscribed_by],
      ]}
    />
  );
}

function Periods({ subscriptionId }: { subscriptionId: string }) {
  const t = useTexts('modules');
  const formats = useFormats();
  const purchases = usePages('/api/modules/purchases', {
    params: { query: { module_subscription_id: subscriptionId } },
  });
  return (
    <Loaded asked={{ ...purchases, data: purchases.items }} waitingFor={t('subscription.periods')}>
      {(items) => (
        <>
          <ScrollingTable label={t('subscription.periods')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('purchases.period')}</Table.Th>
                <Table.Th scope="col" ta="end">
                  {t('purchases.amount')}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map(({ transaction_id, period, amount }) => (
                <Table.Tr key={transaction_id}>
                  <Table.Td>
                    {period === null
                      ? '–'
                      : t('purchases.fromTo', {
                          from: formats.date(period.from),
                          to: formats.date(period.to),
                        })}
                  </Table.Td>
                  <Table.Td ta="end">{formats.money(amount)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </ScrollingTable>
          <LoadMore pages={purchases} />
        </>
      )}
    </Loaded>
  );
}

const refreshes = [
  '/api/modules/subscriptions',
  '/api/modules/subscriptions/{module_subscription_id}',
  '/api/modules/owned',
] as const;

function Change({ subscription }: { subscription: Subscription }) {
  const t = useTexts('modules');
  const mayCancel = useMay('POST /api/modules/subscriptions/{module_subscription_id}/cancel');
  const [isAsking, setIsAsking] = useState(false);
  const params = { path: { module_subscription_id: subscription.id } };
  const cancel = useWrite('POST /api/modules/subscriptions/{module_subscription_id}/cancel', {
    refreshes,
    onDone: () => setIsAsking(false),
  });
  const reactivate = useWrite('POST /api/modules/subscriptions/{module_subscription_id}/reactivate', {
    refreshes,
  });
  if (!mayCancel || subscription.status === 'expired') return null;
  if (subscription.status === 'cancelled')
    return (
      <div>
        <Button loading={reactivate.isPending} onClick={() => reactivate.mutate({ params })}>
          {t('subscription.reactivate')}
        </Button>
        <ProblemAlert error={reactivate.error} />
      </div>
    );
  return (
    <div>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {t('subscription.cancel')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('subscription.cancelTitle', { name: subscription.name })}
        action={t('subscription.cancel')}
        isDangerous
        isPending={cancel.isPending}
        problem={<ProblemAlert error={cancel.error} />}
        onConfirm={() => cancel.mutate({ params })}
        onClose={() => setIsAsking(false)}
      >
        <p>{t('subscription.cancelDetail')}</p>
      </ConfirmDialog>
    </div>
  );
}
