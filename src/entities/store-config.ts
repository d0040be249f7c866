// The configuration of a license's store; a license without a row sells nothing.
import { defineEntity, p } from '@mikro-orm/core';
import type { components } from '../../generated/platform.d.ts';
import { tenantColumns, tenantTable } from './tenant.ts';

type Schemas = components['schemas'];

export const paymentProviders = ['sandbox', 'stripe'] as const satisfies Schemas['PaymentProviderName'][];

export const StoreConfigSchema = defineEntity({
  name: 'StoreConfig',
  tableName: 'store_config',
  ...tenantTable,
  properties: {
    licenseId: tenantColumns.licenseId().primary(),
    name: p.text(),
    currency: p.text().$type<Schemas['StoreCurrency']>(),
    theme: p.json<Schemas['StoreTheme']>(),
    terms: p.text().nullable(),
    provider: p.enum(paymentProviders).nullable(),
    isEnabled: p.boolean().default(false),
    /** Incremented with each change. */
    version: p.integer().default(1),
  },
});
export class StoreConfig extends StoreConfigSchema.class {}
StoreConfigSchema.setClass(StoreConfig);
