// One lease of a webhook: sends due deliveries for a few seconds, as long as the receiver accepts them.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { MailOut } from '../../mail/mail-out.ts';
import { attempt, type DueDelivery, type Receiver } from './attempts.ts';
import { groupSize, AttemptRecorder } from './outcome-batches.ts';
import { recordAttempts } from './outcomes.ts';
import type { WebhookSecrets } from './secrets.ts';

export interface RunParts {
  outbound: Outbound;
  secrets: WebhookSecrets;
  mailOut: MailOut;
}

export interface ReceiverRun {
  webhookId: string;
  /** Sending stops when this returns false. */
  shouldContinue: () => boolean;
}

/** Deliveries per read. Also the maximum number of attempts whose outcome is not recorded yet. */
const batchSize = 5 * groupSize;
/** Maximum total size of their bodies, unless a single one is larger. */
const batchBytes = 4_194_304;
/** Concurrent requests to one receiver. */
const atOnce = 8;

/** Sends until nothing is due, the receiver is unhealthy, or the lease is over. */
export async function runReceiver(ctx: Ctx, run: ReceiverRun, parts: RunParts): Promise<void> {
  const recorder = new AttemptRecorder((attempts) =>
    recordAttempts(ctx, run.webhookId, attempts, parts.mailOut),
  );
  try {
    while (recorder.isWanted && run.shouldContinue()) {
      const batch = await nextBatch(ctx, { ...run, without: recorder.unrecorded }, parts.secrets);
      if (batch === undefined || batch.due.length === 0) return;
      await sendBatch(batch, { run, recorder, outbound: parts.outbound });
      if (batch.due.length < batchSize || recorder.unrecorded.length >= batchSize) await recorder.end();
    }
  } finally {
    await recorder.end();
  }
}

/** Starts no further attempt after one that shows the receiver to be unhealthy. */
async function sendBatch(
  { receiver, due, isInOrder }: Batch,
  { run, recorder, outbound }: { run: ReceiverRun; recorder: AttemptRecorder; outbound: Outbound },
): Promise<void> {
  const waiting = due.values();
  const work = async () => {
    for (const delivery of waiting) {
      if (!recorder.isWanted || !run.shouldContinue()) return;
      recorder.add(await attempt(outbound, receiver, delivery));
    }
  };
  if (isInOrder) await work();
  else await Promise.all(Array.from({ length: atOnce }, work));
}

interface Batch {
  receiver: Receiver;
  due: DueDelivery[];
  /** Whether some deliveries waited for the receiver or the webhook, so that all are sent one at a time. */
  isInOrder: boolean;
}

/**
 * Returns due deliveries: tests first, then the oldest. An unhealthy receiver gets a single delivery, and tests then do
 * not precede deliveries that have been due for a minute.
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
    const isUnavailable = (webhook.recent_failures ?? 0) > 0;
    const testsFirst = sql`(event = 'test') desc, id`;
    const order = isUnavailable
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
      // Ordering by `place` would be equivalent, but would make PostgreSQL count every pending delivery to find the
      // first.
      .orderBy(order)
      .limit(isUnavailable ? 1 : batchSize);
    // Each row is joined by id, so that the plan is good even for a license that PostgreSQL's statistics do not cover
    // yet.
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
    const encrypted = [webhook.secret, webhook.previous].filter((one) => one !== null);
    const inOrderUntil = webhook.in_order_until === null ? -Infinity : Date.parse(webhook.in_order_until);
    return {
      isInOrder: due.some(({ queued_at: queuedAt }) => Date.parse(queuedAt ?? '') <= inOrderUntil),
      receiver: { url: webhook.url, secrets: secrets.openAll(encrypted, webhookId) },
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
