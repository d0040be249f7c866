// Writes to buyers who left an address: a receipt once their order is paid, and a notice of each refund.
import type { Contexts } from '../../../context.ts';
import type { EntityManager } from '../../../database/connection.ts';
import { holdLock } from '../../../database/advisory-locks.ts';
import type { MailOut } from '../../../mail/mail-out.ts';
import { orderPage } from './checkouts.ts';
import { receiptValues, refundValues, type PaidLine, type PaidOrder } from './receipt-text.ts';

/**
 * Maximum receipts within 24 hours, so that an address is not flooded and a store cannot send bulk mail. Sandbox orders
 * have limits of their own, since anybody can pay them.
 */
export const maxReceipts = {
  paid: { toAddress: 20, ofLicense: 2_000 },
  test: { toAddress: 3, ofLicense: 50 },
} as const;

/** Maximum refund notices per order. */
export const maxRefundNotices = 10;

interface DueOrder extends PaidOrder {
  subdomain: string;
  receipt_email: string;
  receipt_status: 'waiting' | 'queued' | 'withheld';
  refund_mail_count: number;
}

export class BuyerMail {
  readonly #contexts: Contexts;
  readonly #mailOut: MailOut;
  readonly #publicUrl: () => string;

  constructor(contexts: Contexts, mailOut: MailOut, publicUrl: () => string) {
    this.#contexts = contexts;
    this.#mailOut = mailOut;
    this.#publicUrl = publicUrl;
  }

  /** Idempotent: each message enters the mail queue once, since the order records it in the same transaction. */
  async write(licenseId: string, orderId: string): Promise<void> {
    await this.#contexts.forJob('write-to-buyer', licenseId, (ctx) =>
      ctx.transact(async (em) => {
        // Taken before the order's lock: it serialises the counting of a license's receipts.
        await holdLock(em, `receipts ${licenseId}`);
        const order = await paidOrder(em, orderId);
        if (order === undefined) return;
        const status = await this.#sendReceipt(em, order);
        if (status === 'queued') await this.#sendRefund(em, order);
      }),
    );
  }

  async #sendReceipt(em: EntityManager, order: DueOrder): Promise<DueOrder['receipt_status']> {
    if (order.receipt_status !== 'waiting') return order.receipt_status;
    const status = (await hasRoom(em, order)) ? 'queued' : 'withheld';
    await em.execute(
      `update store_order set receipt_status = ?, receipt_at = case when ? = 'queued' then now() end where id = ?`,
      [status, status, order.id],
    );
    if (status === 'queued') {
      const values = receiptValues(order, await linesOf(em, order.id), this.#pageOf(order));
      await this.#mailOut.enqueue(em, { to: order.receipt_email, template: 'receipt', values });
    }
    return status;
  }

  /** Covers refunds since the last notice. Repeating a refund that failed is not announced again. */
  async #sendRefund(em: EntityManager, order: DueOrder): Promise<void> {
    const isNews = order.refunded_minor > order.refund_mailed_minor;
    if (!isNews || order.refund_mail_count >= maxRefundNotices) return;
    await em.execute(
      `update store_order set refund_mailed_minor = refunded_minor, refund_mail_count = refund_mail_count + 1
       where id = ?`,
      [order.id],
    );
    const values = refundValues(order, this.#pageOf(order));
    await this.#mailOut.enqueue(em, { to: order.receipt_email, template: 'refund', values });
  }

  #pageOf({ subdomain, id }: DueOrder): string {
    return orderPage(this.#publicUrl(), subdomain, id);
  }
}

/** Locks the order. Returns undefined unless it is paid and has an address. */
async function paidOrder(em: EntityManager, id: string): Promise<DueOrder | undefined> {
  const [order] = await em.execute<DueOrder[]>(
    `select bought.id, bought.steam_id, bought.player_name, bought.provider, bought.is_test, bought.currency,
       bought.total_minor, bought.refunded_minor, bought.refund_mailed_minor, bought.refund_mail_count,
       bought.payment_reference, bought.created_at, bought.paid_at, bought.receipt_email, bought.receipt_status,
       license.subdomain, coalesce(config.name, license.name) as store
     from store_order as bought
     join license on license.id = bought.license_id
     left join store_config as config on config.license_id = bought.license_id
     where bought.id = ? and bought.paid_at is not null and bought.receipt_email is not null
     for no key update of bought`,
    [id],
  );
  if (order === undefined) return undefined;
  const { total_minor, refunded_minor, refund_mailed_minor } = order;
  return {
    ...order,
    total_minor: Number(total_minor),
    refunded_minor: Number(refunded_minor),
    refund_mailed_minor: Number(refund_mailed_minor),
  };
}

async function linesOf(em: EntityManager, orderId: string): Promise<PaidLine[]> {
  const lines = await em.execute<PaidLine[]>(
    'select item_name, quantity, unit_minor from store_order_line where order_id = ? order by id',
    [orderId],
  );
  return lines.map((line) => ({ ...line, unit_minor: Number(line.unit_minor) }));
}

/** Compares addresses without case, so that spelling variants share one limit. */
async function hasRoom(em: EntityManager, { receipt_email: address, is_test }: DueOrder): Promise<boolean> {
  const [sent] = await em.execute<{ license: number; address: number }[]>(
    `select count(*)::integer as license,
       (count(*) filter (where lower(receipt_email) = lower(?)))::integer as address
     from store_order where receipt_at > now() - interval '24 hours' and is_test = ?`,
    [address, is_test],
  );
  const max = maxReceipts[is_test ? 'test' : 'paid'];
  return sent !== undefined && sent.license < max.ofLicense && sent.address < max.toAddress;
}
