// What makes a license a sandbox: its seed, its clock and its expiry.
import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantTable } from './tenant.ts';

/** The domain of the addresses of sandboxes' owners; no mail can arrive there (RFC 2606). */
export const sandboxMailDomain = 'sandbox.invalid';

export const SandboxSchema = defineEntity({
  name: 'Sandbox',
  tableName: 'sandbox',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    /** Determines everything random in the simulation. */
    seed: p.bigint('number'),
    /** By how many milliseconds the sandbox's clock is ahead of real time. */
    clockOffsetMs: p.bigint('number').default(0),
    createdAt: p.datetime().defaultRaw('now()'),
    resetAt: p.datetime().nullable(),
    /** When a request last advanced the clock, in real time. */
    advancedAt: p.datetime().nullable(),
    /** In real time. */
    expiresAt: p.datetime(),
  },
});
export class Sandbox extends SandboxSchema.class {}
SandboxSchema.setClass(Sandbox);
