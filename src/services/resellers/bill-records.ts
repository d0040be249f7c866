// Records the bills of resellers, with their lines, once a month is over.
import { sql } from 'kysely';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { monthAfter } from './bill-arithmetic.ts';
import { billOf, type BillLine } from './bills.ts';

/** By then, work that began before the month's end has finished. */
export const settledMinutes = 60;

/** Records bills of completed months. */
export class ResellerBills {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /**
   * Replicas may run this concurrently: one of them records each bill. One bill's failure does not prevent the others.
   */
  async record(now = new Date()): Promise<void> {
    const failures: unknown[] = [];
    for (const { reseller_id, month } of await this.#missing(now))
      await this.#recordOne(reseller_id, month, now).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} bills were not recorded`);
  }

  #recordOne(resellerId: string, month: string, now: Date): Promise<void> {
    return this.#platform.transact('jobs', async (em, queries) => {
      const bill = await billOf(queries, resellerId, month, now);
      if (bill.recordedAt !== null) return;
      const { lines, unit, activeDays, instanceCount, instanceDays, chargedDays, total, currency } = bill;
      const recorded = await em.execute<{ id: string }[]>(
        `insert into reseller_bill (reseller_id, month, unit, license_count, active_days, instance_count,
           instance_days, charged_days, total, currency)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (reseller_id, month) do nothing returning id`,
        [
          resellerId,
          month,
          unit,
          lines.length,
          activeDays,
          instanceCount,
          instanceDays,
          chargedDays,
          total,
          currency,
        ],
      );
      if (recorded.length > 0) await recordLines(em, resellerId, month, lines);
    });
  }

  /** Returns the completed months since the reseller was created that have no recorded bill. */
  async #missing(now: Date) {
    const over = monthAfter(new Date(now.getTime() - settledMinutes * 60_000), -1);
    return this.#platform.read('jobs', async (queries) => {
      const { rows } = await sql<{ reseller_id: string; month: string }>`
        select reseller.id as reseller_id, to_char(started, 'YYYY-MM') as month
        from reseller, generate_series(date_trunc('month', reseller.created_at), ${`${over}-01`}::timestamptz,
          interval '1 month') as started
        where not exists (select from reseller_bill
          where reseller_id = reseller.id and month = to_char(started, 'YYYY-MM'))
        order by reseller.id, started`.execute(queries);
      return rows;
    });
  }
}

async function recordLines(
  em: EntityManager,
  resellerId: string,
  month: string,
  lines: readonly BillLine[],
): Promise<void> {
  await em.execute(
    `insert into reseller_bill_line (reseller_id, month, reseller_license_id, active_days, instance_count,
       instance_days, charged_days, amount, active)
     select ?::uuid, ?, line.* from jsonb_to_recordset(?::jsonb) as line(id uuid, "activeDays" integer,
       "instanceCount" integer, "instanceDays" integer, "chargedDays" integer, amount bigint, active jsonb)`,
    [resellerId, month, JSON.stringify(lines)],
  );
}
