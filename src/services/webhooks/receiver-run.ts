// A webhook's turn: for a few seconds what is due goes to its receiver, as long as that takes it.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { MailOut } from '../../mail/mail-out.ts';
import { attempt, type DueDelivery, type Receiver } from './attempts.ts';
import { groupSize, Notes } from './outcome-batches.ts';
import { noteAttempts } from './outcomes.ts';
import type { WebhookSecrets } from './secrets.ts';

export interface TurnParts {
  outbound: Outbound;
  secrets: WebhookSecrets;
  mailOut: MailOut;
}

export interface Turn {
  webhookId: string;
  /** Nothing is sent any more when this says no. */
  mayGoOn: () => boolean;
}

/** Deliveries that are read together, and that may be without a note while more is sent. */
const batchSize = 5 * groupSize;
/** How long their bodies are together, at most, unless a single one is longer. */
const batchBytes = 4_194_304;
/** Requests to one receiver at the same time. */
const atOnce = 8;

/** Sends until nothing is due, the receiver is unwell, or the turn is over. */
export async function takeTurn(ctx: Ctx, turn: Turn, parts: TurnParts): Promise<void> {
  const notes = new Notes((attempts) => noteAttempts(ctx, turn.webhookId, attempts, parts.mailOut));
  try {
    while (notes.isWanted && turn.mayGoOn()) {
      const batch = await nextBatch(ctx, { ...turn, without: notes.unnoted }, parts.secrets);
      if (batch === undefined || batch.due.length === 0) return;
      await sendBatch(batch, { turn, notes, outbound: parts.outbound });
      if (batch.due.length < batchSize || notes.unnoted.length >= batchSize) await notes.end();
    }
  } finally {
    await notes.end();
  }
}

/** After one that shows the receiver unwell none is begun. */
async function sendBatch(
  { receiver, due, isInOrder }: Batch,
  { turn, notes, outbound }: { turn: Turn; notes: Notes; outbound: Outbound },
): Promise<void> {
  const waiting = due.values();
  const work = async () => {
    for (const delivery of waiting) {
      if (!notes.isWanted || !turn.mayGoOn()) return;
      notes.add(await attempt(outbound, receiver, delivery));
    }
  };
  if (isInOrder) await work();
  else await Promise.all(Array.from({ length: atOnce }, work));
}

interface Batch {
  receiver: Receiver;
  due: DueDelivery[];
  /** Whether some of it waited for the receiver or the webhook, so that it goes one at a time. */
  isInOrder: boolean;
}

/**
 * What is due, tests first and then the oldest. While the receiver is known to be unwell a single one, and no test goes
 * before what has waited for its turn for a minute.
 */
async function nextBatch(
  ctx: Ctx,
  { webhookId, without }: { webhookId: string; without: readonly string[] },
  secrets: WebhookSecrets,
): Promise<Batch | undefined> {
  return ctx.read(async (queries) => {
    const webhook = await queries
      .selectFrom('webhook')
      .select([
        'url',
        'secret',
        'recent_failures',
        'in_order_until',
        sql<Buffer | null>`case when previous_secret_ends_at > now() then previous_secret end`.as('previous'),
      ])
      .where('id', '=', webhookId)
      .where('is_enabled', '=', true)
      .executeTakeFirst();
    if (webhook === undefined) return undefined;
    const isUnwell = (webhook.recent_failures ?? 0) > 0;
    const testsFirst = sql`(event = 'test') desc, id`;
    const order = isUnwell
      ? sql`(event <> 'test' and next_attempt_at < now() - interval '1 minute') desc, ${testsFirst}`
      : testsFirst;
    const next = queries
      .selectFrom('webhook_delivery')
      .select([
        'id',
        sql<number>`sum(octet_length(body)) over (order by ${order})`.as('bytes'),
        sql<number>`row_number() over (order by ${order})`.as('place'),
      ])
      .where('webhook_id', '=', webhookId)
      .where('status', '=', sql.lit('pending'))
      .where('next_attempt_at', '<=', sql<string>`now()`)
      .where('id', '<>', sql<string>`all(${without}::uuid[])`)
      // Not by place, though that says the same: it would have all that waits counted to find the first.
      .orderBy(order)
      .limit(isUnwell ? 1 : batchSize);
    // Each by its id, whatever PostgreSQL believes of a license that its statistics have not seen yet.
    const due = await queries
      .selectFrom(next.as('next'))
      .innerJoinLateral(
        (from) =>
          from
            .selectFrom('webhook_delivery')
            .select(['webhook_delivery.id', 'event', 'body', 'attempt_count', 'recent_failures', 'queued_at'])
            .whereRef('webhook_delivery.id', '=', 'next.id')
            .where('webhook_id', '=', webhookId)
            .limit(1)
            .as('delivery'),
        (join) => join.onTrue(),
      )
      .select(['delivery.id', 'event', 'body', 'attempt_count', 'recent_failures', 'queued_at'])
      .where((where) => where.or([where('bytes', '<=', batchBytes), where('place', '=', 1)]))
      .orderBy('place')
      .execute();
    const sealed = [webhook.secret, webhook.previous].filter((one) => one !== null);
    const inOrderUntil = webhook.in_order_until === null ? -Infinity : Date.parse(webhook.in_order_until);
    return {
      isInOrder: due.some(({ queued_at: queuedAt }) => Date.parse(queuedAt ?? '') <= inOrderUntil),
      receiver: { url: webhook.url, secrets: secrets.openAll(sealed, webhookId) },
      due: due.map(whole),
    };
  });
}

const whole = (row: Partial<DueDelivery> & Pick<DueDelivery, 'id' | 'event' | 'body'>): DueDelivery => ({
  attempt_count: 0,
  recent_failures: 0,
  queued_at: '',
  ...row,
});
