// Sends a delivery again, after asking whether the player has it already.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import { useWrite } from '../../api/writing.ts';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { useTexts } from '../../texts/texts.ts';

type Delivery = Schemas['StoreDelivery'];

interface ResendProps {
  delivery: Delivery;
  onResent?: (fresh: Delivery) => void;
}

/** Deliveries under way cannot be sent again. */
export function Resend({ delivery, onResent }: ResendProps) {
  const t = useTexts('store');
  const mayResend = useMay('POST /api/webstore/deliveries/{delivery_id}/resend');
  const [isAsking, setIsAsking] = useState(false);
  const resend = useWrite('POST /api/webstore/deliveries/{delivery_id}/resend', {
    refreshes: ['/api/webstore/deliveries'],
    onDone: (fresh) => {
      setIsAsking(false);
      onResent?.(fresh);
    },
  });
  if (!mayResend || delivery.finished_at === null) return null;
  const words = {
    item: delivery.item_name,
    player: delivery.steam_id,
    server: delivery.instance_name,
  };
  const isRevocation = delivery.kind === 'revocation';
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setIsAsking(true)}>
        {t('resend.action')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('resend.title')}
        action={t('resend.action')}
        isPending={resend.isPending}
        problem={<ProblemAlert error={resend.error} />}
        onConfirm={() => resend.mutate({ params: { path: { delivery_id: delivery.id } } })}
        onClose={() => setIsAsking(false)}
      >
        <p>{isRevocation ? t('resend.revocation', words) : t('resend.delivery', words)}</p>
        {delivery.status === 'uncertain' && <p>{t('resend.uncertain')}</p>}
        {delivery.status === 'delivered' && !isRevocation && <p>{t('resend.delivered')}</p>}
      </ConfirmDialog>
    </>
  );
}
