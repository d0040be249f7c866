// Multiplies the amounts of a loot profile at every depth.
import type { ConfigData } from '../kind.ts';
import type { ConfigValue } from '../wanted.ts';

/** Amounts of items or of scrap. Numbers of different items, chances, durability and rounds are not amounts. */
const amounts: ReadonlySet<string> = new Set(['min', 'max', 'scrap', 'min_scrap', 'max_scrap']);
/** The fields with amounts; settings have their own multipliers. */
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
 * Rounds to the nearest whole number, halves up. 0 stays 0, and other amounts become at least 1 unless the multiplier
 * is 0. It is monotonic, so that a minimum never exceeds its maximum.
 */
export function scaledAmount(amount: number, multiplier: number): number {
  if (amount === 0 || multiplier === 0) return 0;
  // 45 times 0.7 is slightly less than 31.5 in binary, but people expect exactly 31.5.
  const product = Number((amount * multiplier).toPrecision(15));
  return Math.min(Math.max(Math.round(product), 1), maxAmount);
}
