// Notifies the Owners of a license, once per order, of a problem with its payment.
import type { Contexts } from '../../../context.ts';
import type { MailOut } from '../../../mail/mail-out.ts';
import { ownersOf } from '../../team/index.ts';

export class PaymentWarnings {
  readonly #contexts: Contexts;
  readonly #mailOut: MailOut;

  constructor(contexts: Contexts, mailOut: MailOut) {
    this.#contexts = contexts;
    this.#mailOut = mailOut;
  }

  async warn(licenseId: string, orderId: string): Promise<void> {
    await this.#contexts.forJob('warn-of-payment', licenseId, (ctx) =>
      ctx.transact(async (em, queries) => {
        const [order] = await em.execute<{ problem: string }[]>(
          `update store_order set warned_at = now()
           where id = ? and problem is not null and warned_at is null returning problem`,
          [orderId],
        );
        if (order === undefined) return;
        const { license, owners } = await ownersOf(queries);
        const values = { license, order: orderId, problem: order.problem };
        for (const to of owners) await this.#mailOut.enqueue(em, { to, template: 'payment-problem', values });
      }),
    );
  }
}
