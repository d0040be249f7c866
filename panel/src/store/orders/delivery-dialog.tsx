// The details of one delivery, kept up to date while it is under way.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import type { Schemas } from '../../api/operations.ts';
import { useRead } from '../../api/reading.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { useTexts } from '../../texts/texts.ts';
import { DeliveryFacts } from './delivery-facts.tsx';
import { DeliveryStatus } from './delivery-status.tsx';
import classes from './orders.module.css';
import { usePlayerNames } from './player-names.ts';
import { Resend } from './resend.tsx';

/** Attempts are reported by no event. */
const attemptsMs = 5_000;

interface DeliveryDialogProps {
  /** Empty while none is open. */
  deliveryId: string;
  onOpen: (deliveryId: string) => void;
}

export function DeliveryDialog({ deliveryId, onOpen }: DeliveryDialogProps) {
  const t = useTexts('store');
  return (
    <Dialog isOpen={deliveryId !== ''} title={t('delivery.title')} onClose={() => onOpen('')}>
      <Details key={deliveryId} deliveryId={deliveryId} onOpen={onOpen} />
    </Dialog>
  );
}

function Details({ deliveryId, onOpen }: DeliveryDialogProps) {
  const t = useTexts('store');
  const common = useTexts('common');
  const asked = useRead(
    '/api/webstore/deliveries/{delivery_id}',
    { params: { path: { delivery_id: deliveryId } } },
    { every: attemptsMs },
  );
  return (
    <div className={classes.dialog}>
      <Loaded asked={asked} waitingFor={t('delivery.title')}>
        {(delivery) => <DeliveryView delivery={delivery} />}
      </Loaded>
      <div className={classes.dialogActions}>
        {asked.data !== undefined && <Resend delivery={asked.data} onResent={({ id }) => onOpen(id)} />}
        <Button variant="default" size="xs" onClick={() => onOpen('')}>
          {common('actions.close')}
        </Button>
      </div>
    </div>
  );
}

function DeliveryView({ delivery }: { delivery: Schemas['StoreDelivery'] }) {
  const t = useTexts('store');
  const names = usePlayerNames();
  const { item_name, instance_name, steam_id, status, detail, unit, transaction_id, error_code } = delivery;
  return (
    <>
      <div role="status">
        <DeliveryStatus status={status} />
        {detail !== null && <p className="sentence">{detail}</p>}
      </div>
      <DeliveryFacts delivery={delivery} />
      <Facts
        facts={[
          [t('deliveries.columns.item'), `${item_name} · ${t('delivery.unit', { unit })}`],
          [t('deliveries.columns.server'), instance_name],
          ...(names.has(steam_id) ? [[t('deliveries.columns.player'), names.get(steam_id)] as const] : []),
          ['SteamID64', <code key="player">{steam_id}</code>],
          ...(error_code === null
            ? []
            : [[t('delivery.error'), <code key="error">{error_code}</code>] as const]),
          [
            t('delivery.order'),
            <Link key="order" to="/webstore/orders/$orderId" params={{ orderId: transaction_id }}>
              {t('delivery.openOrder')}
            </Link>,
          ],
        ]}
      />
    </>
  );
}
