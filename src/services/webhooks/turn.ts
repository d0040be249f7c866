// A webhook's turn: for a few seconds what is due goes to its receiver, as long as that takes it.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { MailOut } from '../mail.ts';
import { attempt, type Attempt, type DueDelivery, type Receiver } from './attempts.ts';
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

/** Deliveries that are noted together, while the next ones are sent. */
const groupSize = 100;
/** Deliveries that are read together. */
const batchSize = 5 * groupSize;
/** How long their bodies are together, at most, unless a single one is longer. */
const batchBytes = 4_194_304;
/** Requests to one receiver at the same time. */
const atOnce = 8;

/** Sends until nothing is due, the receiver is unwell, or the turn is over. */
export async function takeTurn(ctx: Ctx, turn: Turn, parts: TurnParts): Promise<void> {
  while (turn.mayGoOn()) {
    const batch = await nextBatch(ctx, turn.webhookId, parts.secrets);
    if (batch === undefined || batch.due.length === 0) return;
    if (!(await sendBatch(ctx, { batch, turn }, parts))) return;
  }
}

/** Answers whether the webhook is to be sent more. */
async function sendBatch(
  ctx: Ctx,
  { batch: { receiver, due }, turn }: { batch: Batch; turn: Turn },
  { outbound, mailOut }: TurnParts,
): Promise<boolean> {
  let noting = Promise.resolve(true);
  for (let start = 0; start < due.length; start += groupSize) {
    const group = due.slice(start, start + groupSize);
    const [attempts, isWanted] = await Promise.all([
      sendAll({ receiver, due: group }, turn, outbound),
      noting,
    ]);
    noting = noteAttempts(ctx, turn.webhookId, attempts, mailOut);
    const isDone = attempts.length === group.length && !attempts.some(({ isUnwell }) => isUnwell);
    if (!isDone || !isWanted) {
      await noting;
      return false;
    }
  }
  return noting;
}

interface Batch {
  receiver: Receiver;
  due: DueDelivery[];
}

/**
 * What is due, tests first and then the oldest. While the receiver is known to be unwell a single one, and no test goes
 * before what has waited for its turn for a minute.
 */
async function nextBatch(ctx: Ctx, webhookId: string, secrets: WebhookSecrets): Promise<Batch | undefined> {
  return ctx.read(async (queries) => {
    const webhook = await queries
      .selectFrom('webhook')
      .select([
        'url',
        'secret',
        'recent_failures',
        sql<Buffer | null>`case when previous_secret_ends_at > now() then previous_secret end`.as('previous'),
      ])
      .where('id', '=', webhookId)
      .where('is_enabled', '=', true)
      .executeTakeFirst();
    if (webhook === undefined) return undefined;
    const isUnwell = (webhook.recent_failures ?? 0) > 0;
    const order = sql`order by (${isUnwell} and event <> 'test' and next_attempt_at < now() - interval '1 minute') desc,
      (event = 'test') desc, id`;
    const next = queries
      .selectFrom('webhook_delivery')
      .select([
        'id',
        sql<number>`sum(octet_length(body)) over (${order})`.as('bytes'),
        sql<number>`row_number() over (${order})`.as('place'),
      ])
      .where('webhook_id', '=', webhookId)
      .where('status', '=', 'pending')
      .where('next_attempt_at', '<=', sql<string>`now()`)
      .orderBy('place')
      .limit(isUnwell ? 1 : batchSize);
    const due = await queries
      .selectFrom('webhook_delivery')
      .innerJoin(next.as('next'), 'next.id', 'webhook_delivery.id')
      .select(['webhook_delivery.id', 'event', 'body', 'attempt_count', 'recent_failures', 'queued_at'])
      .where((where) => where.or([where('bytes', '<=', batchBytes), where('place', '=', 1)]))
      .orderBy('place')
      .execute();
    const sealed = [webhook.secret, webhook.previous].filter((one) => one !== null);
    return {
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

/** In the order in which they ended. After one that shows the receiver unwell none is begun. */
async function sendAll({ receiver, due }: Batch, { mayGoOn }: Turn, outbound: Outbound): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  const waiting = due.values();
  let isUnwell = false;
  const work = async () => {
    for (const delivery of waiting) {
      if (isUnwell || !mayGoOn()) return;
      const made = await attempt(outbound, receiver, delivery);
      isUnwell ||= made.isUnwell;
      attempts.push(made);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return attempts;
}
