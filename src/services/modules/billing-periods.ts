// Billing periods of module subscriptions: calendar months and years in UTC, counted from an anchor.

export type BillingPeriod = 'month' | 'year';

const dayMs = 24 * 60 * 60_000;

/**
 * The time `count` periods after the anchor. A day that a month lacks becomes that month's last day, without affecting
 * later months.
 */
export function boundaryOf(anchor: Date, count: number, period: BillingPeriod): Date {
  const year = anchor.getUTCFullYear();
  const month = anchor.getUTCMonth() + count * (period === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const boundary = new Date(anchor);
  boundary.setUTCFullYear(year, month, Math.min(anchor.getUTCDate(), lastDay));
  return boundary;
}

export const daysAfter = (moment: Date, days: number): Date => new Date(moment.getTime() + days * dayMs);
