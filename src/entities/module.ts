// A module of the catalogue: its price, and the plugin that it installs.
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
    /** How often the price is charged. */
    billingPeriod: p.enum(['once', 'month', 'year'] as const).default('once'),
    /** The price of a year instead of twelve months, if offered. */
    yearlyPrice: p.integer().nullable(),
    /** Free days before a license's first period. */
    trialDays: p.integer().default(0),
    features: p.array(),
    plugin: p.text(),
    /** A path is relative to the platform's own URL. */
    pluginUrl: p.text(),
    pluginSha256: p.text().fieldName('plugin_sha256'),
    pluginBytes: p.integer(),
    isListed: p.boolean().default(true),
    /** Only sandboxes subscribe to it; neither licenses nor operators see it. */
    isSimulated: p.boolean().default(false),
    /** Incremented with each change. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export class Module extends ModuleSchema.class {}
ModuleSchema.setClass(Module);
