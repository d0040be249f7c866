// A message that was handed to the mail server, so that a repeated job does not send it again.
import { defineEntity, p } from '@mikro-orm/core';

export const SentMailSchema = defineEntity({
  name: 'SentMail',
  tableName: 'sent_mail',
  properties: {
    id: p.uuid().primary(),
    sentAt: p.datetime().defaultRaw('now()'),
  },
});
export class SentMail extends SentMailSchema.class {}
SentMailSchema.setClass(SentMail);
