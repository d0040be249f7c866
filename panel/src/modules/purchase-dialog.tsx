// Buys a module, or subscribes to it.
import { Radio, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import type { Schemas } from '../api/operations.ts';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { usePriceWords } from './price-words.ts';

type Module = Schemas['Module'];

interface PurchaseDialogProps {
  module: Module | null;
  onClose: () => void;
}

export function PurchaseDialog({ module, onClose }: PurchaseDialogProps) {
  const t = useTexts('modules');
  const words = usePriceWords();
  const navigate = useNavigate();
  const [isYearly, setIsYearly] = useState(false);
  const buy = useWrite('POST /api/modules/purchase', {
    refreshes: ['/api/modules', '/api/modules/owned', '/api/modules/purchases', '/api/modules/subscriptions'],
    onDone: () => {
      onClose();
      void navigate({ to: '/modules/owned' });
    },
  });
  if (module === null) return null;
  const { slug, name, price, billing_period, yearly_amount, trial_days } = module;
  const isOnce = billing_period === 'once';
  return (
    <ConfirmDialog
      isOpen
      title={t(isOnce ? 'purchase.buyTitle' : 'purchase.subscribeTitle', { name })}
      action={isOnce ? t('catalog.buy') : t('catalog.subscribe')}
      isPending={buy.isPending}
      problem={<ProblemAlert error={buy.error} />}
      onConfirm={() =>
        buy.mutate({
          body: { module: slug, ...(yearly_amount !== null && { period: isYearly ? 'year' : 'month' }) },
        })
      }
      onClose={onClose}
    >
      {yearly_amount === null ? (
        <p>{words.price(module)}</p>
      ) : (
        <Radio.Group
          label={t('purchase.period')}
          value={isYearly ? 'year' : 'month'}
          onChange={(value) => setIsYearly(value === 'year')}
          mb="sm"
        >
          <Stack gap="xs" mt="xs">
            <Radio value="month" label={words.price(module)} />
            <Radio value="year" label={words.per({ ...price, amount: yearly_amount }, 'year')} />
          </Stack>
        </Radio.Group>
      )}
      {trial_days > 0 && <p>{t('purchase.trial', { count: trial_days })}</p>}
      <p>{isOnce ? t('purchase.once') : t('purchase.renews')}</p>
    </ConfirmDialog>
  );
}
