// How often an API key has called a deprecated operation.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const ApiKeyDeprecatedUseSchema = defineEntity({
  name: 'ApiKeyDeprecatedUse',
  tableName: 'api_key_deprecated_use',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    apiKeyId: p.uuid().primary(),
    /** The operation's ID in the contract. */
    operation: p.text().primary(),
    count: p.bigint('number'),
    lastUsedAt: p.datetime(),
  },
});
export class ApiKeyDeprecatedUse extends ApiKeyDeprecatedUseSchema.class {}
ApiKeyDeprecatedUseSchema.setClass(ApiKeyDeprecatedUse);
