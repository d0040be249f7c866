// Notifies an Owner of a problem with the payment of an order.
import type { Template } from './template.ts';

export const paymentProblem = {
  values: ['license', 'order', 'problem'],
  subject: 'A payment in the store of {{license}} needs you',
  paragraphs: [
    'Something is wrong with the payment of order {{order}} in the store of {{license}}. {{problem}}',
    'Nothing is delivered for it until it is paid as it should be. Look at the order among the transactions of the store, and at its payment with your payment provider.',
  ],
} as const satisfies Template;
