// A key with which programs work in a license; of its secret only a hash is kept.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

export const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  ...tenantTable,
  properties: {
    id: tenantColumns.id(),
    licenseId: tenantColumns.licenseId(),
    identifier: p.text(),
    secretHash: p.text(),
    name: p.text(),
    permissions: p.json<Record<string, boolean>>(),
    /** Networks that it may be used from; null for any. */
    allowedIps: p.array().nullable(),
    /** Null once that account is gone; the key is then refused. */
    createdById: p.uuid().nullable(),
    /** E-mail address of the creator at the time. */
    createdBy: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
  },
});
export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey);
