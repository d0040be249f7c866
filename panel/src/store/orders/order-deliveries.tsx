// The deliveries of an order, one for each unit and server.
import { Badge } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../../api/operations.ts';
import { usePages } from '../../api/reading.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { useTexts } from '../../texts/texts.ts';
import { DeliveryFacts } from './delivery-facts.tsx';
import { DeliveryStatus } from './delivery-status.tsx';
import classes from './orders.module.css';
import { Resend } from './resend.tsx';

export function OrderDeliveries({ orderId }: { orderId: string }) {
  const t = useTexts('store');
  const deliveries = usePages(
    '/api/webstore/deliveries',
    { params: { query: { transaction_id: orderId } } },
    { all: true },
  );
  return (
    <Section title={t('order.deliveries')}>
      <Loaded asked={{ ...deliveries, data: deliveries.items }} waitingFor={t('order.deliveries')}>
        {(items) =>
          items.length === 0 ? (
            <p className="hint">{t('order.noDeliveries')}</p>
          ) : (
            <ul className={classes.steps}>
              {items.map((delivery) => (
                <DeliveryItem key={delivery.id} delivery={delivery} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function DeliveryItem({ delivery }: { delivery: Schemas['StoreDelivery'] }) {
  const t = useTexts('store');
  const { item_name, instance_name, unit, kind, status, detail } = delivery;
  return (
    <li className={classes.delivery}>
      <div className={classes.deliveryHead}>
        <span className={classes.deliveryName}>
          {t('delivery.name', { item: item_name, server: instance_name, unit })}{' '}
          {kind === 'revocation' && (
            <Badge size="xs" variant="light" color="gray">
              {t('delivery.revocation')}
            </Badge>
          )}
        </span>
        <DeliveryStatus status={status} />
      </div>
      {detail !== null && <p className="sentence">{detail}</p>}
      <DeliveryFacts delivery={delivery} />
      <div className={classes.resend}>
        <Resend delivery={delivery} />
      </div>
    </li>
  );
}
