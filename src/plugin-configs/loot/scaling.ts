// Multiplies the amounts of a loot profile, however deep they stand.
import type { ConfigData } from '../kind.ts';
import type { ConfigValue } from '../wanted.ts';

/** What is an amount of items or of scrap. How many different items there are, chances, durability and rounds are none. */
const amounts: ReadonlySet<string> = new Set(['min', 'max', 'scrap', 'min_scrap', 'max_scrap']);
/** Where they are; settings have multipliers of their own. */
const tables = ['loot_table', 'loot_groups', 'legacy_loot_table'];
const maxAmount = 2_147_483_647;

export function scaledLoot(config: ConfigData, multiplier: number): ConfigData {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name,
      tables.includes(name) ? scaledWithin(value, multiplier) : value,
    ]),
  );
}

function scaledWithin(value: ConfigValue, multiplier: number): ConfigValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: ConfigValue) => scaledWithin(item, multiplier));
  return Object.fromEntries(
    Object.entries(value as ConfigData).map(([key, inner]) => [
      key,
      typeof inner === 'number' && amounts.has(key)
        ? scaledAmount(inner, multiplier)
        : scaledWithin(inner, multiplier),
    ]),
  );
}

/**
 * Rounded to the next whole number, halves up. 0 stays 0, and what there was some of does not vanish unless the
 * multiplier is 0. It never falls as the amount grows, so that the fewest stay no more than the most.
 */
export function scaledAmount(amount: number, multiplier: number): number {
  if (amount === 0 || multiplier === 0) return 0;
  // 45 times 0.7 is a hair less than 31.5 in binary, and a half for whoever has written it.
  const product = Number((amount * multiplier).toPrecision(15));
  return Math.min(Math.max(Math.round(product), 1), maxAmount);
}
