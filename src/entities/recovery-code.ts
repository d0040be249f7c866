// A single-use code that replaces the second factor; stored as its hash.
import { defineEntity, p } from '@mikro-orm/core';

export const RecoveryCodeSchema = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_code',
  properties: {
    codeHash: p.text().primary(),
    userId: p.uuid(),
  },
});
export class RecoveryCode extends RecoveryCodeSchema.class {}
RecoveryCodeSchema.setClass(RecoveryCode);
