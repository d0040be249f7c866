// Sends a buyer the receipt of a paid order.
import type { Template } from './template.ts';

export const receipt = {
  values: ['store', 'order', 'ordered', 'paid', 'player', 'payment', 'items', 'total', 'page'],
  asIs: ['order', 'ordered', 'paid', 'payment', 'items', 'total', 'page'],
  lists: ['items'],
  subject: 'Receipt for your order at {{store}}',
  paragraphs: [
    'Thank you for your order at {{store}}. Its payment is confirmed.',
    'Order: {{order}}\nOrdered: {{ordered}}\nPaid: {{paid}}\nPayment: {{payment}}\nSold by: {{store}}\nFor the player: {{player}}',
    '{{items}}\nTotal: {{total}}',
    'What you bought is delivered on the game server to the player named above: once the server runs and, for some items, once the player is on it. The page of the order shows what has arrived.',
    'The team of {{store}} sold you this. If something is missing or wrong, turn to them and name the order. Replies to this message do not reach them.',
    'You get this because your address was given with the order. It is used for the receipt and for notices of refunds to this order, and for nothing else.',
  ],
  link: { label: 'See the order', value: 'page' },
} as const satisfies Template;
