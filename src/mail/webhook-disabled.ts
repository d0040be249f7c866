// Notifies an Owner that a webhook was disabled.
import type { Template } from './template.ts';

export const webhookDisabled = {
  values: ['license', 'webhook', 'reason'],
  subject: 'The webhook {{webhook}} of {{license}} is disabled',
  paragraphs: [
    'Events of {{license}} are not sent to the webhook {{webhook}} any more. {{reason}}',
    'Enable it again once its receiver works; what was not delivered is in its log, and can be sent again from there.',
  ],
} as const satisfies Template;
