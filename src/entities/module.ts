// A module of the catalogue: what it costs, and the plugin that it installs.
import { defineEntity, p } from '@mikro-orm/core';

export const ModuleSchema = defineEntity({
  name: 'Module',
  tableName: 'module',
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    slug: p.text(),
    name: p.text(),
    description: p.text(),
    /** In hundredths of the currency. */
    price: p.integer(),
    currency: p.text(),
    /** How often the price is due. */
    billingPeriod: p.enum(['once', 'month', 'year'] as const).default('once'),
    /** What a year costs instead of twelve months, where that is offered. */
    yearlyPrice: p.integer().nullable(),
    /** Days before the first period of a license that are not charged. */
    trialDays: p.integer().default(0),
    features: p.array(),
    plugin: p.text(),
    /** A path stands for the platform's own address. */
    pluginUrl: p.text(),
    pluginSha256: p.text().fieldName('plugin_sha256'),
    pluginBytes: p.integer(),
    isListed: p.boolean().default(true),
    /** Counts its changes. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class Module extends ModuleSchema.class {}
ModuleSchema.setClass(Module);
