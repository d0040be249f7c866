// Multiplies the amounts of a loot profile at every depth.
import type { Schemas } from '../../platform-contract/types.ts';

type Config = Schemas['LootConfigData'];

/** Amounts of items or of scrap. Numbers of different items, chances, durability and rounds are not amounts. */
const amounts: ReadonlySet<string> = new Set(['min', 'max', 'scrap', 'min_scrap', 'max_scrap']);
const maxAmount = 2_147_483_647;

/** Scales the tables and groups, but not the settings, which have multipliers of their own. */
export function scaledLoot(config: Config, multiplier: number): Config {
  const { loot_table, loot_groups, legacy_loot_table } = config;
  return {
    ...config,
    ...(loot_table && { loot_table: scaledWithin(loot_table, multiplier) }),
    ...(loot_groups && { loot_groups: scaledWithin(loot_groups, multiplier) }),
    ...(legacy_loot_table && { legacy_loot_table: scaledWithin(legacy_loot_table, multiplier) }),
  };
}

/** Changes only the numbers of amounts, so the result has the same type. */
function scaledWithin<Part>(value: Part, multiplier: number): Part {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) =>
      typeof inner === 'number' && amounts.has(key) ? scaledAmount(inner, multiplier) : inner,
    ),
  ) as Part;
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
