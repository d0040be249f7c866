// Notifies a buyer that the payment of an order was refunded, in full or in part.
import type { Template } from './template.ts';

export const refund = {
  values: ['store', 'order', 'amount', 'refunded', 'total', 'payment', 'page'],
  asIs: ['order', 'amount', 'refunded', 'total', 'payment', 'page'],
  subject: 'Refund for your order at {{store}}',
  paragraphs: [
    '{{store}} has refunded {{amount}} of your payment.',
    'Order: {{order}}\nRefunded now: {{amount}}\nRefunded in all: {{refunded}} of {{total}}\nPayment: {{payment}}',
    'The money goes back the way it was paid; that can take some days. If it does not arrive, turn to the team of {{store}} and name the order. Replies to this message do not reach them.',
    'You get this because your address was given with the order.',
  ],
  link: { label: 'See the order', value: 'page' },
} as const satisfies Template;
