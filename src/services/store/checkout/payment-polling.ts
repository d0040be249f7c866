// Polls payment providers about orders without callbacks, so that a lost callback loses no payment.
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { EntityManager } from '../../../database/connection.ts';
import type { Checkouts } from './checkouts.ts';

/** Polling intervals: while the order can be paid, and afterwards for as long as the outcome may matter. */
const pauseMinutes = { payable: 5, after: 60 };
const askedDays = 30;
const maxAtOnce = 100;
const askedAtOnce = 8;
/** Maximum orders of one license per run, which bounds how long a provider that hangs delays other licenses. */
const maxOfLicense = 8;

interface Due {
  id: string;
  license_id: string;
  is_payable: boolean;
}

export class PaymentPolling {
  readonly #claim: () => Promise<Due[]>;
  readonly #checkouts: Checkouts;
  readonly #log: Logger;

  /** `claim` runs `claimPolls` on the orders of every license. */
  constructor(claim: () => Promise<Due[]>, checkouts: Checkouts, log: Logger) {
    this.#claim = claim;
    this.#checkouts = checkouts;
    this.#log = log;
  }

  /** Safe on many replicas at once: each order is claimed by one of them. */
  async askDue(): Promise<void> {
    const due = await this.#claim();
    // Licenses run in parallel; the orders of one license run in sequence and stop at the first provider failure.
    const byLicense = [...Map.groupBy(due, ({ license_id }) => license_id).values()];
    await pLimit(askedAtOnce).map(byLicense, async (own) => {
      for (const order of own) if (!(await this.#ask(order))) return;
    });
  }

  /** Returns whether the provider responded. */
  async #ask({ id, license_id, is_payable }: Due): Promise<boolean> {
    try {
      await (is_payable ? this.#checkouts.ask(license_id, id) : this.#checkouts.close(license_id, id));
      return true;
    } catch (error) {
      this.#log.warn({ err: error, order_id: id }, 'a provider did not report the payment state of an order');
      return false;
    }
  }
}

/** Schedules the next poll when claiming, independent of the outcome of this one. */
export function claimPolls(em: EntityManager): Promise<Due[]> {
  return em.execute<Due[]>(
    `update store_order set next_ask_at = case when created_at > now() - make_interval(days => ?)
       then now() + make_interval(mins => case when expires_at > now() then ?::integer else ? end) end
     where id in (
       select waiting.id from (
         select id, row_number() over (partition by license_id order by next_ask_at) as place
         from store_order where next_ask_at <= now()
       ) as ranked join store_order as waiting on waiting.id = ranked.id
       where place <= ? and next_ask_at <= now()
       order by next_ask_at limit ? for no key update of waiting skip locked)
     returning id, license_id, expires_at > now() as is_payable`,
    [askedDays, pauseMinutes.payable, pauseMinutes.after, maxOfLicense, maxAtOnce],
  );
}
