// A message that was handed over, so that a job that runs twice sends it once.
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
