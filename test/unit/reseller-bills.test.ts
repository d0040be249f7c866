// The monthly cost of a reseller, compared with a simple calculation day by day.
import fc from 'fast-check';
import { hundredthsInWords, hundredthsOf } from '../../src/payments/money.ts';
import {
  activeDays,
  monthAfter,
  monthNamed,
  common,
  shareOf,
  usageOf,
  within,
  type Period,
} from '../../src/services/resellers/bill-arithmetic.ts';

const hourMs = 3_600_000;

const months = fc
  .record({ year: fc.integer({ min: 2000, max: 2099 }), month: fc.integer({ min: 1, max: 12 }) })
  .map(({ year, month }) => `${year}-${String(month).padStart(2, '0')}`);

const rates = fc.integer({ min: 0, max: 99_999_999 });

/**
 * Times at which a license became active and inactive, from before the month until after it, often at
 * midnight.
 */
const histories = (month: string): fc.Arbitrary<Period[]> => {
  const { startMs, days } = monthNamed(month);
  const moment = fc.oneof(
    fc.integer({ min: -40, max: days + 40 }).map((day) => startMs + day * 24 * hourMs),
    fc.integer({ min: -40 * 24 * hourMs, max: (days + 40) * 24 * hourMs }).map((ms) => startMs + ms),
  );
  return fc.array(moment, { maxLength: 12 }).map((moments) => {
    const sorted = moments.toSorted((one, other) => one - other);
    return sorted.flatMap((fromMs, index) =>
      index % 2 === 0 ? [{ fromMs, toMs: sorted[index + 1] ?? startMs + (days + 40) * 24 * hourMs }] : [],
    );
  });
};

/** Checks every day of the month for any time when the license was active. */
function daysByHand(periods: readonly Period[], name: string): number {
  const [year = 0, month = 0] = name.split('-').map(Number);
  let count = 0;
  for (let day = 1; new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1; day += 1) {
    const [start, end] = [Date.UTC(year, month - 1, day), Date.UTC(year, month - 1, day + 1)];
    const isActive = periods.some(({ fromMs, toMs }) =>
      fromMs === toMs ? start <= fromMs && fromMs < end : fromMs < end && toMs > start,
    );
    if (isActive) count += 1;
  }
  return count;
}

it('counts each day on which a license was active at any time, once', () => {
  fc.assert(
    fc.property(
      months.chain((month) => fc.tuple(fc.constant(month), histories(month))),
      ([month, periods]) => {
        expect(activeDays(within(periods, monthNamed(month)))).toBe(daysByHand(periods, month));
      },
    ),
    { numRuns: 500 },
  );
});

it('charges the share of days in the month, to the nearest cent, rounding half up', () => {
  fc.assert(
    fc.property(months, rates, fc.integer({ min: 0, max: 31 }), (name, rate, count) => {
      const month = monthNamed(name);
      const days = Math.min(count, month.days);
      const [exact, whole] = [BigInt(rate) * BigInt(days), BigInt(month.days)];
      const rest = exact % whole;
      expect(BigInt(shareOf(rate, days, month))).toBe(exact / whole + (2n * rest >= whole ? 1n : 0n));
    }),
    { numRuns: 1_000 },
  );
});

it('charges the whole rate for the whole month, nothing for no day, and never more for fewer days', () => {
  fc.assert(
    fc.property(months, rates, (name, rate) => {
      const month = monthNamed(name);
      const shares = Array.from({ length: month.days + 1 }, (_, days) => shareOf(rate, days, month));
      expect([shares[0], shares.at(-1)]).toEqual([0, rate]);
      expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    }),
  );
});

it('has lines that add up to the sum exactly', () => {
  fc.assert(
    fc.property(
      months,
      rates,
      fc.array(fc.integer({ min: 0, max: 28 }), { maxLength: 50 }),
      (name, rate, counts) => {
        const amounts = counts.map((days) => shareOf(rate, days, monthNamed(name)));
        const total = amounts.reduce((sum, amount) => sum + amount, 0);
        const written = amounts.map((amount) => hundredthsOf(hundredthsInWords(amount, 'USD').amount));
        expect(written.reduce((sum, amount) => sum + amount, 0)).toBe(total);
        expect(hundredthsOf(hundredthsInWords(total, 'USD').amount)).toBe(total);
      },
    ),
  );
});

it('knows the months before and after, across years', () => {
  const moment = new Date('2026-12-31T23:59:59.999Z');
  expect([-1, 0, 1].map((offset) => monthAfter(moment, offset))).toEqual(['2026-11', '2026-12', '2027-01']);
  expect([monthNamed('2028-02').days, monthNamed('2026-02').days]).toEqual([29, 28]);
});

/** Both counts and the charge, by checking every day and every instance for a common moment. */
function usageByHand(
  active: readonly Period[],
  runs: readonly (readonly Period[])[],
  name: string,
  unit: 'license' | 'instance',
) {
  const [year = 0, month = 0] = name.split('-').map(Number);
  const [usage, seen] = [
    { activeDays: 0, instanceCount: 0, instanceDays: 0, chargedDays: 0 },
    new Set<number>(),
  ];
  for (let day = 1; new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1; day += 1) {
    const [start, end] = [Date.UTC(year, month - 1, day), Date.UTC(year, month - 1, day + 1)];
    const isActive = active.some(({ fromMs, toMs }) =>
      fromMs === toMs ? start <= fromMs && fromMs < end : fromMs < end && toMs > start,
    );
    let running = 0;
    for (const [index, periods] of runs.entries()) {
      const ran = periods.some((run) =>
        active.some((one) => Math.max(run.fromMs, one.fromMs, start) < Math.min(run.toMs, one.toMs, end)),
      );
      if (!ran) continue;
      running += 1;
      seen.add(index);
    }
    usage.activeDays += isActive ? 1 : 0;
    usage.instanceDays += running;
    usage.chargedDays += unit === 'license' ? (isActive ? 1 : 0) : Math.max(running, isActive ? 1 : 0);
  }
  usage.instanceCount = seen.size;
  return usage;
}

it('counts instances by the days on which they ran in an active license, and charges one at least', () => {
  fc.assert(
    fc.property(
      months.chain((month) =>
        fc.tuple(fc.constant(month), histories(month), fc.array(histories(month), { maxLength: 6 })),
      ),
      fc.constantFrom('license' as const, 'instance' as const),
      ([name, active, runs], unit) => {
        const month = monthNamed(name);
        const usage = usageOf(
          within(active, month),
          runs.map((periods) => within(periods, month)),
          unit,
        );
        expect(usage).toEqual(usageByHand(active, runs, name, unit));
      },
    ),
    { numRuns: 500 },
  );
});

it('charges by the instance never less than by the license, and the same where one instance always ran', () => {
  fc.assert(
    fc.property(
      months.chain((month) =>
        fc.tuple(fc.constant(month), histories(month), fc.array(histories(month), { maxLength: 4 })),
      ),
      ([name, active, runs]) => {
        const month = monthNamed(name);
        const [own, ran] = [within(active, month), runs.map((periods) => within(periods, month))];
        const byLicense = usageOf(own, ran, 'license').chargedDays;
        expect(usageOf(own, ran, 'instance').chargedDays).toBeGreaterThanOrEqual(byLicense);
        const always = [{ fromMs: month.startMs, toMs: month.endMs }];
        expect(usageOf(own, [always], 'instance').chargedDays).toBe(byLicense);
        expect(common(own, always)).toEqual(own.filter(({ fromMs, toMs }) => fromMs < toMs));
      },
    ),
    { numRuns: 200 },
  );
});
