// Adds up what a store has earned by day or month, from its transactions.
import { csvRecords } from '../../shared/csv.ts';

export interface Sale {
  paidAt: Date;
  /** In the smallest unit of the currency. */
  total: number;
  refunded: number;
  isTest: boolean;
}

export interface Period {
  /** The first day of the period, in local time. */
  start: Date;
  orders: number;
  /** Revenue after refunds and disputes, in the smallest unit. */
  net: number;
  refunded: number;
}

const paidStatuses = new Set(['paid', 'partially_refunded', 'refunded', 'disputed']);

/** The paid transactions in one currency. */
export function salesOf(csv: string, currency: string): Sale[] {
  return csvRecords(csv)
    .filter((record) => record['currency'] === currency && paidStatuses.has(record['status'] ?? ''))
    .filter((record) => record['paid_at'] !== '')
    .map((record) => {
      const total = minorOf(record['total'] ?? '0');
      // A disputed payment is not there, whether or not the dispute will be won.
      const isLost = record['status'] === 'disputed';
      return {
        paidAt: new Date(record['paid_at'] ?? ''),
        total,
        refunded: isLost ? total : minorOf(record['refunded'] ?? '0'),
        isTest: record['is_test'] === 'true',
      };
    });
}

/** All amounts of a currency have the same number of decimals. */
const minorOf = (amount: string): number => Number(amount.replace('.', ''));

export const amountOf = (minor: number, decimals: number): string =>
  (minor / 10 ** decimals).toFixed(decimals);

/** Longer ranges are shown by month. */
const maxDaysByDay = 90;

/** The start of a range of days that ends today. */
export function startOf(days: number, now: Date): Date {
  if (days > maxDaysByDay) return new Date(now.getFullYear(), now.getMonth() - 11, 1);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1);
}

export const isByMonth = (days: number): boolean => days > maxDaysByDay;

/** Each day or month of the range, also those without sales. */
export function periodsOf(sales: readonly Sale[], days: number, now: Date): Period[] {
  const first = startOf(days, now);
  const starts = Array.from({ length: isByMonth(days) ? 12 : days }, (_, index) =>
    isByMonth(days)
      ? new Date(first.getFullYear(), first.getMonth() + index, 1)
      : new Date(first.getFullYear(), first.getMonth(), first.getDate() + index),
  );
  const periods = starts.map((start) => ({ start, orders: 0, net: 0, refunded: 0 }));
  for (const { paidAt, total, refunded } of sales) {
    const period = periods.findLast(({ start }) => start <= paidAt);
    if (period === undefined) continue;
    period.orders += 1;
    period.net += total - refunded;
    period.refunded += refunded;
  }
  return periods;
}
