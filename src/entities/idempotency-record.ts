// The answer that a request with an Idempotency-Key got, for whoever repeats it.
import { defineEntity, p } from '@mikro-orm/core';

export const IdempotencyRecordSchema = defineEntity({
  name: 'IdempotencyRecord',
  tableName: 'idempotency_record',
  properties: {
    keyHash: p.text().primary(),
    requestHash: p.text(),
    sealedAnswer: p.blob(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class IdempotencyRecord extends IdempotencyRecordSchema.class {}
IdempotencyRecordSchema.setClass(IdempotencyRecord);
