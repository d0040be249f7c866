// Amounts of loot profiles, multiplied; and contradictions within a profile.
import fc from 'fast-check';
import { contradictionsIn } from '../../src/plugin-configs/loot/contradictions.ts';
import { scaledAmount, scaledLoot } from '../../src/plugin-configs/loot/scaling.ts';

const amount = fc.integer({ min: 0, max: 2_147_483_647 });
const multiplier = fc.double({ min: 0, max: 1000, noNaN: true });

describe('an amount', () => {
  it("stays 0, stays whole, stays within the server's integer range, and never falls as it grows", () => {
    fc.assert(
      fc.property(amount, amount, multiplier, (one, other, times) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)].map((value) =>
          scaledAmount(value, times),
        );
        expect(scaledAmount(0, times)).toBe(0);
        expect(Number.isInteger(low)).toBe(true);
        expect(high).toBeLessThanOrEqual(2_147_483_647);
        expect(low).toBeLessThanOrEqual(high ?? NaN);
      }),
    );
  });

  it('is rounded half up, and never to zero', () => {
    expect([1, 2, 3, 5].map((value) => scaledAmount(value, 0.5))).toEqual([1, 1, 2, 3]);
    expect(scaledAmount(10, 0)).toBe(0);
    expect(scaledAmount(1, 0.01)).toBe(1);
  });

  it('is rounded as the decimal multiplier, not as binary fractions', () => {
    const [whole, tenths] = [fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 1000 })];
    fc.assert(
      fc.property(whole, tenths, (value, times) => {
        const exact = BigInt(value) * BigInt(times);
        expect(scaledAmount(value, times / 10)).toBe(Math.max(Number((exact + 5n) / 10n), 1));
      }),
      {
        examples: [
          [45, 7],
          [85, 7],
          [165, 7],
          [175, 7],
        ],
      },
    );
  });
});

describe('a profile', () => {
  const profile = {
    loot_table: {
      crate: {
        min_items: 2,
        max_items: 4,
        min_scrap: 5,
        max_scrap: 8,
        scrap: 3,
        items: {
          scrap: {
            min: 1,
            max: 3,
            durability: { min_percent: 50, max_percent: 100 },
            ammunition: { min_rounds: 1, max_rounds: 2 },
            bonus_items: { 'ammo.rifle': { min: 10, max: 20 } },
          },
        },
        guaranteed_items: { rope: { min: 0, max: 1, skin_id: '18446744073709551615' } },
      },
    },
    loot_groups: { weapons: { items: { 'lmg.m249': { probability: 10, amount: { min: 1, max: 2 } } } } },
    settings: { loot: { loot_multiplier: 1 } },
  };

  it('is multiplied wherever there are amounts of items and of scrap, and nowhere else', () => {
    expect(scaledLoot(profile, 3)).toEqual({
      loot_table: {
        crate: {
          min_items: 2,
          max_items: 4,
          min_scrap: 15,
          max_scrap: 24,
          scrap: 9,
          items: {
            scrap: {
              min: 3,
              max: 9,
              durability: { min_percent: 50, max_percent: 100 },
              ammunition: { min_rounds: 1, max_rounds: 2 },
              bonus_items: { 'ammo.rifle': { min: 30, max: 60 } },
            },
          },
          guaranteed_items: { rope: { min: 0, max: 3, skin_id: '18446744073709551615' } },
        },
      },
      loot_groups: { weapons: { items: { 'lmg.m249': { probability: 10, amount: { min: 3, max: 6 } } } } },
      settings: { loot: { loot_multiplier: 1 } },
    });
    const legacy = { legacy_loot_table: { barrel: { scrap: 2, items: { rope: { min: 1, max: 2 } } } } };
    expect(scaledLoot(legacy, 2)).toEqual({
      legacy_loot_table: { barrel: { scrap: 4, items: { rope: { min: 2, max: 4 } } } },
    });
  });

  it('keeps the minimum at most the maximum', () => {
    expect(contradictionsIn(profile)).toEqual([]);
    expect(
      contradictionsIn({
        loot_table: { 'a/b': { items: { rope: { min: 2, max: 1 } } } },
        legacy_loot_table: { 'a/b': { min_items: 3, max_items: 2 } },
      }),
    ).toEqual([
      { pointer: '/loot_table/a~1b/items/rope/min', detail: '2 is more than max, which is 1' },
      { pointer: '/legacy_loot_table/a~1b/min_items', detail: '3 is more than max_items, which is 2' },
    ]);
  });

  it('for version 3 has no names that exist only in version 4', () => {
    const items = { 'rope{1}': { min: 1, max: 1 }, 'rope.blueprint': { min: 1, max: 1 } };
    const table = { 'unwrap/xmas.present.small': {}, 'a/b': { items } };
    expect(contradictionsIn({ loot_table: table })).toEqual([]);
    expect(contradictionsIn({ legacy_loot_table: table }).map(({ pointer }) => pointer)).toEqual([
      '/legacy_loot_table/unwrap~1xmas.present.small',
      '/legacy_loot_table/a~1b/items/rope{1}',
    ]);
  });
});
