// One order: what was bought and paid, each delivery of it, and what the payment provider reported.
import { Alert, Badge, Skeleton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import { useRead } from '../../api/reading.ts';
import { BackLink } from '../../shared/back-link.tsx';
import { useFormats } from '../../shared/formats.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { Page } from '../../shared/page.tsx';
import { Time } from '../../shared/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { OrderDeliveries } from './order-deliveries.tsx';
import { OrderStatus } from './order-status.tsx';
import classes from './orders.module.css';

type Order = Schemas['StoreOrderDetail'];

const route = getRouteApi('/frame/licensed/webstore/orders/$orderId');

export function OrderPage() {
  const t = useTexts('store');
  const { orderId } = route.useParams();
  const asked = useRead('/api/webstore/transactions/{transaction_id}', {
    params: { path: { transaction_id: orderId } },
  });
  return (
    <Loaded isPage asked={asked} waitingFor={t('order.title')} skeleton={<Skeleton height={320} />}>
      {(order) => <OrderView order={order} />}
    </Loaded>
  );
}

function OrderView({ order }: { order: Order }) {
  const t = useTexts('store');
  const mayReadDeliveries = useMay('GET /api/webstore/deliveries');
  return (
    <Page
      title={t('order.of', { player: order.player_name ?? order.steam_id })}
      above={<BackLink to="/webstore/orders">{t('tabs.orders')}</BackLink>}
      status={
        <>
          <OrderStatus status={order.status} />
          {order.is_test && (
            <Badge variant="light" color="yellow">
              {t('test')}
            </Badge>
          )}
        </>
      }
      lead={<Time at={order.created_at} />}
    >
      {order.problem !== null && (
        <Alert color="red" title={t('order.problem')} className={classes.problem ?? ''}>
          {order.problem}
        </Alert>
      )}
      <div className={classes.columns}>
        <div className="stack">
          <Bought order={order} />
          {mayReadDeliveries && <OrderDeliveries orderId={order.id} />}
        </div>
        <div className="stack">
          <Details order={order} />
          <Events events={order.events} />
        </div>
      </div>
    </Page>
  );
}

function Bought({ order: { lines, total, refunded } }: { order: Order }) {
  const t = useTexts('store');
  const formats = useFormats();
  return (
    <Section title={t('order.items')}>
      <table className={classes.lines}>
        <tbody>
          {lines.map(({ item_name, quantity, unit_price }, index) => (
            <tr key={index}>
              <th scope="row">
                {item_name}
                {quantity > 1 && (
                  <span className="dim">
                    {' '}
                    {t('order.times', { quantity, price: formats.money(unit_price) })}
                  </span>
                )}
              </th>
              <td>{formats.money(times(unit_price, quantity))}</td>
            </tr>
          ))}
          <tr className={classes.sum}>
            <th scope="row">{t('order.total')}</th>
            <td>{formats.money(total)}</td>
          </tr>
          {Number(refunded.amount) > 0 && (
            <tr>
              <th scope="row">{t('order.refunded')}</th>
              <td>{formats.money({ ...refunded, amount: `-${refunded.amount}` })}</td>
            </tr>
          )}
        </tbody>
      </table>
    </Section>
  );
}

/** Amounts are below a thousand million, which numbers hold exactly enough to be shown. */
const times = ({ amount, currency }: Schemas['StoreMoney'], quantity: number) => ({
  amount: String(Number(amount) * quantity),
  currency,
});

function Details({ order }: { order: Order }) {
  const t = useTexts('store');
  const formats = useFormats();
  const { steam_id, player_name, provider, payment_reference, receipt, paid_at, expires_at, id } = order;
  return (
    <Section title={t('order.details')}>
      <Facts
        facts={[
          [t('order.player'), player_name],
          ['SteamID64', <code key="id">{steam_id}</code>],
          [
            t('order.paid'),
            paid_at === null
              ? order.status === 'pending'
                ? t('order.payableUntil', { date: formats.dateTime(expires_at) })
                : null
              : formats.dateTime(paid_at),
          ],
          [t('order.provider'), t(`providers.${provider}`)],
          [
            t('order.reference'),
            payment_reference === null ? null : <code key="ref">{payment_reference}</code>,
          ],
          [t('order.receipt'), receiptText(receipt, t)],
          [t('order.id'), <code key="order">{id}</code>],
        ]}
      />
    </Section>
  );
}

const receiptText = (
  { email, status }: Schemas['StoreReceipt'],
  t: ReturnType<typeof useTexts<'store'>>,
): string =>
  email === null || status === 'none' ? t(`receipt.${status}`) : `${email} · ${t(`receipt.${status}`)}`;

function Events({ events }: { events: Order['events'] }) {
  const t = useTexts('store');
  const formats = useFormats();
  return (
    <Section title={t('order.events')}>
      {events.length === 0 ? (
        <p className="hint">{t('order.noEvents')}</p>
      ) : (
        <ul className={classes.steps}>
          {events.map(({ event_id, kind, amount, outcome, received_at }) => (
            <li key={event_id} className={classes.event}>
              <div>
                {t(`eventKinds.${kind}`)}
                {amount !== null && ` · ${formats.money(amount)}`}
              </div>
              <p className="hint">
                <Time at={received_at} />
                {outcome !== 'applied' && ` · ${t(`eventOutcomes.${outcome}`)}`}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
