// An API key of a license; only a hash of its secret is stored.
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
    /** Networks that may use it; null for any. */
    allowedIps: p.array().nullable(),
    /** Null if that account was deleted; the key is then refused. */
    createdById: p.uuid().nullable(),
    /** The creator's e-mail address when the key was created. */
    createdBy: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
  },
});
export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey);
