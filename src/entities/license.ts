// A tenant: its key, its public name and whether it is active.
import { defineEntity, p } from '@mikro-orm/core';
import { currentLicense } from './tenant.ts';

const ownRow = `id = ${currentLicense}`;

export const LicenseSchema = defineEntity({
  name: 'License',
  tableName: 'license',
  rowLevelSecurity: true,
  policies: [{ name: 'tenant', using: () => ownRow, check: () => ownRow }],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    key: p.text(),
    name: p.text(),
    subdomain: p.text(),
    status: p.enum(['active', 'revoked'] as const).default('active'),
    companionTokenHash: p.text(),
    /** The token before the last rotation; it is accepted until the expiry below. */
    formerCompanionTokenHash: p.text().nullable(),
    formerCompanionTokenExpiresAt: p.datetime().nullable(),
    ownerEmail: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    revokedAt: p.datetime().nullable(),
    /** Who revoked it: a reseller may resume only licenses that it has suspended itself. */
    revokedBy: p.enum(['platform', 'reseller'] as const).nullable(),
    /** Whether its reseller wants it suspended, independently of the platform. */
    isSuspended: p.boolean().default(false),
    /** A license for tests: never billed, never counted, deleted when it expires. */
    isSandbox: p.boolean().default(false),
  },
});
export class License extends LicenseSchema.class {}
LicenseSchema.setClass(License);
