// The response to a request with an Idempotency-Key, for repetitions of the request.
import { defineEntity, p } from '@mikro-orm/core';

export const IdempotencyRecordSchema = defineEntity({
  name: 'IdempotencyRecord',
  tableName: 'idempotency_record',
  properties: {
    keyHash: p.text().primary(),
    requestHash: p.text(),
    encryptedReply: p.blob().fieldName('sealed_answer'),
    /** Set if the reply belongs to a sandbox; a reset deletes it. */
    sandboxLicenseId: p.uuid().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class IdempotencyRecord extends IdempotencyRecordSchema.class {}
IdempotencyRecordSchema.setClass(IdempotencyRecord);
