// What the editor of a module holds, and what it sends.
import type { Schemas } from '../../api/operations.ts';
import { sendable, type NumberValue } from '../../shared/number-text.ts';
import { priceOf } from '../../shared/price.ts';

type Update = Schemas['CatalogModuleUpdate'];

export interface ModuleValues {
  slug: string;
  name: string;
  description: string;
  amount: string;
  currency: string;
  period: Schemas['ModuleBillingPeriod'];
  /** Empty if a year cannot be paid at once. */
  yearly: string;
  trialDays: NumberValue;
  /** One for each line. */
  features: string;
  plugin: string;
  url: string;
  sha256: string;
  bytes: NumberValue;
  isListed: boolean;
}

/** What the fields of the editor are given. */
export interface ModuleFieldsProps {
  values: ModuleValues;
  onChange: (change: Partial<ModuleValues>) => void;
  error: Error | null;
  /** The identifier and the plugin never change. */
  isNew: boolean;
}

export const newModule: ModuleValues = {
  slug: '',
  name: '',
  description: '',
  amount: '',
  currency: 'USD',
  period: 'month',
  yearly: '',
  trialDays: 0,
  features: '',
  plugin: '',
  url: '',
  sha256: '',
  bytes: '',
  isListed: false,
};

export const valuesOf = (module: Schemas['CatalogModule']): ModuleValues => ({
  slug: module.slug,
  name: module.name,
  description: module.description,
  amount: module.price.amount,
  currency: module.price.currency,
  period: module.billing_period,
  yearly: module.yearly_amount ?? '',
  trialDays: module.trial_days,
  features: module.features.join('\n'),
  plugin: module.plugin,
  url: module.download.url,
  sha256: module.download.sha256,
  bytes: module.download.bytes,
  isListed: module.is_listed,
});

export const featuresOf = ({ features }: Pick<ModuleValues, 'features'>): string[] =>
  features
    .split('\n')
    .map((feature) => feature.trim())
    .filter((feature) => feature !== '');

/** A year is offered beside a month only, and a single purchase has no trial. */
export const yearlyOf = ({ period, yearly }: ModuleValues): string | null =>
  period !== 'month' || yearly.trim() === '' ? null : priceOf(yearly, 2);

export const trialOf = ({ period, trialDays }: ModuleValues): number =>
  period === 'once' ? 0 : sendable(trialDays);

const updateOf = (values: ModuleValues) => ({
  name: values.name.trim(),
  description: values.description.trim(),
  price: { amount: priceOf(values.amount, 2), currency: values.currency.trim().toUpperCase() },
  billing_period: values.period,
  yearly_amount: yearlyOf(values),
  trial_days: trialOf(values),
  features: featuresOf(values),
  download: {
    url: values.url.trim(),
    sha256: values.sha256.trim().toLowerCase(),
    bytes: sendable(values.bytes),
  },
  is_listed: values.isListed,
});

export const creationOf = (values: ModuleValues): Schemas['CatalogModuleCreate'] => ({
  ...updateOf(values),
  slug: values.slug.trim(),
  plugin: values.plugin.trim(),
});

/** As the platform stores them, so that what it returns is the same. */
export const tidied = (values: ModuleValues): ModuleValues => {
  const { download, price, yearly_amount, ...update } = updateOf(values);
  return {
    slug: values.slug.trim(),
    name: update.name,
    description: update.description,
    ...price,
    period: update.billing_period,
    yearly: yearly_amount ?? '',
    trialDays: update.trial_days,
    features: update.features.join('\n'),
    plugin: values.plugin.trim(),
    ...download,
    isListed: update.is_listed,
  };
};

/** Only what was changed: the address of the platform's own module could not be sent back. */
export function changesOf(values: ModuleValues, base: ModuleValues): Update {
  const [next, former] = [updateOf(values), updateOf(base)];
  const changed = (Object.keys(next) as (keyof typeof next)[]).filter(
    (key) => JSON.stringify(next[key]) !== JSON.stringify(former[key]),
  );
  return Object.fromEntries(changed.map((key) => [key, next[key]]));
}
