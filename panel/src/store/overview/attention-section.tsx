// Deliveries that did not reach their player, and disputed payments: what a person has to look at.
import { Link } from '@tanstack/react-router';
import { Section } from '@gantry/ui/section.tsx';
import { useRead } from '../../api/reading.ts';
import { Time } from '../../shared/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { DeliveryStatus } from '../orders/delivery-status.tsx';
import { OrderStatus } from '../orders/order-status.tsx';
import classes from './overview.module.css';

const maxShown = 5;

const deliveriesWith = (status: 'failed' | 'uncertain') => ({
  params: { query: { status, limit: maxShown } },
});

/** Nothing is shown while everything is well. */
export function AttentionSection() {
  const t = useTexts('store');
  const disputed = useRead('/api/webstore/transactions', {
    params: { query: { status: 'disputed' as const, limit: maxShown } },
  });
  const failed = useRead('/api/webstore/deliveries', deliveriesWith('failed'));
  const uncertain = useRead('/api/webstore/deliveries', deliveriesWith('uncertain'));
  const orders = disputed.data?.data ?? [];
  const deliveries = [...(failed.data?.data ?? []), ...(uncertain.data?.data ?? [])];
  if (orders.length + deliveries.length === 0) return null;
  return (
    <Section title={t('attention.title')} tone="warning">
      <ul className={classes.attention}>
        {orders.map(({ id, status, player_name, steam_id, created_at }) => (
          <li key={id}>
            <OrderStatus status={status} />
            <Link to="/webstore/orders/$orderId" params={{ orderId: id }}>
              {player_name ?? steam_id}
            </Link>
            <span className="dim">
              <Time at={created_at} />
            </span>
          </li>
        ))}
        {deliveries.map(({ id, status, item_name, instance_name, detail, created_at }) => (
          <li key={id}>
            <DeliveryStatus status={status} />
            <Link to="/webstore/deliveries" search={{ status, delivery: id }}>
              {t('attention.delivery', { item: item_name, server: instance_name })}
            </Link>
            <span className="dim">
              {detail !== null && `${detail} · `}
              <Time at={created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
