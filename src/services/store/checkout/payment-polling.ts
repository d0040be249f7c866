// Asks payment providers about orders that nobody has told of, so that a callback which is lost loses no payment.
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { EntityManager } from '../../../database/connection.ts';
import type { PlatformScope } from '../../../database/platform-scope.ts';
import type { Checkouts } from './checkouts.ts';

/** How often an order is asked about: while it can be paid, and after that for as long as an answer may matter. */
const pauseMinutes = { payable: 5, after: 60 };
const askedDays = 30;
const maxAtOnce = 100;
const askedAtOnce = 8;
/** Of one license in a round: a provider that hangs for one delays the others by no more than these. */
const maxOfLicense = 8;

interface Due {
  id: string;
  license_id: string;
  is_payable: boolean;
}

export class PaymentQuestions {
  readonly #platform: PlatformScope;
  readonly #checkouts: Checkouts;
  readonly #log: Logger;

  constructor(platform: PlatformScope, checkouts: Checkouts, log: Logger) {
    this.#platform = platform;
    this.#checkouts = checkouts;
    this.#log = log;
  }

  /** Any number of replicas may do it at once: each order is asked about by one. */
  async askDue(): Promise<void> {
    const due = await this.#platform.transact('jobs', takeDue);
    // Licenses in parallel, each one's orders one after the other until its provider fails: the others are not delayed.
    const byLicense = [...Map.groupBy(due, ({ license_id }) => license_id).values()];
    await pLimit(askedAtOnce).map(byLicense, async (own) => {
      for (const order of own) if (!(await this.#ask(order))) return;
    });
  }

  /** Whether the provider answered. */
  async #ask({ id, license_id, is_payable }: Due): Promise<boolean> {
    try {
      await (is_payable ? this.#checkouts.ask(license_id, id) : this.#checkouts.close(license_id, id));
      return true;
    } catch (error) {
      this.#log.warn({ err: error, order_id: id }, 'a provider has not said how an order stands');
      return false;
    }
  }
}

/** Whatever comes of asking, they are asked about again after the pause. */
function takeDue(em: EntityManager): Promise<Due[]> {
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
