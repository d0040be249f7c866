// Queues past events and failed deliveries for webhooks again, as replays and recoveries want them.
import type { Logger } from 'pino';
import type { Contexts, Ctx } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import { WebhookReplay } from '../../entities/index.ts';
import { eventBody, matches } from '../../events/cursor.ts';

/** Deliveries that one transaction queues. */
const batchSize = 200;
/** Events of the log that one transaction reads. */
const maxScanned = 2_000;
/** Transactions that find nothing to queue before other webhooks get their turn. */
const maxEmptyBatches = 20;
/** Deliveries that may wait for their next attempt before a replay continues. */
const maxPending = 1_000;
/** Webhooks of one run, and those worked on at the same time. */
const replaysAtOnce = 64;
const concurrency = 4;

export interface DueReplay {
  webhook_id: string;
  license_id: string;
}

/** Running replays whose webhooks have no due delivery, and few others that wait. */
export function dueReplays(em: EntityManager): Promise<DueReplay[]> {
  return em.execute<DueReplay[]>(
    `select replay.webhook_id, replay.license_id
     from webhook_replay as replay
     join webhook on webhook.id = replay.webhook_id and (rests_until is null or rests_until <= now())
     join license on license.id = replay.license_id and license.status = 'active'
     where replay.status = 'running'
       and not exists (select from webhook_delivery as delivery
         where delivery.webhook_id = webhook.id and delivery.status = 'pending' and next_attempt_at <= now())
       and (select count(*) from (select from webhook_delivery as delivery
         where delivery.webhook_id = webhook.id and delivery.status = 'pending' limit ?) as pending) < ?
     order by random() limit ?`,
    [maxPending, maxPending, replaysAtOnce],
  );
}

export interface ReplayWorkParts {
  /** Runs `dueReplays` on the rows of every license. */
  find: () => Promise<DueReplay[]>;
  contexts: Contexts;
  log: Logger;
}

export class WebhookReplayWork {
  readonly #parts: ReplayWorkParts;

  constructor(parts: ReplayWorkParts) {
    this.#parts = parts;
  }

  /** Any number of replicas may run it: each webhook is handled by one at a time. */
  async run(): Promise<void> {
    const { find, contexts, log } = this.#parts;
    const waiting = (await find()).values();
    const work = async () => {
      for (const { webhook_id: webhookId, license_id: licenseId } of waiting)
        await contexts
          .forJob('replay-webhooks', licenseId, (ctx) => continueReplay(ctx, webhookId))
          .catch((error: unknown) =>
            log.error({ err: error, webhook: webhookId }, 'a replay could not be continued'),
          );
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  }
}

/** Queues the next batch. */
async function continueReplay(ctx: Ctx, webhookId: string): Promise<void> {
  for (let count = 0; count < maxEmptyBatches; count += 1) {
    if (!(await queueBatch(ctx, webhookId))) return;
  }
}

interface Progress {
  queued: number;
  hasMore: boolean;
}

/**
 * Queues the next deliveries and moves on, in one transaction: a killed process has done both or neither. Returns
 * whether to look further, because nothing was to be queued so far.
 */
async function queueBatch(ctx: Ctx, webhookId: string): Promise<boolean> {
  return ctx.transact(async (em) => {
    const [webhook] = await em.execute(
      'select from webhook where id = ? and is_enabled for no key update skip locked',
      [webhookId],
    );
    if (webhook === undefined) return false;
    const replay = await em.findOne(WebhookReplay, { webhookId, status: 'running' });
    if (replay === null) return false;
    const { queued, hasMore } =
      replay.kind === 'replay' ? await queueEvents(em, ctx, replay) : await queueFailed(em, replay);
    if (queued > 0) await em.execute('update webhook set in_order_until = now() where id = ?', [webhookId]);
    await em.execute(
      `update webhook_replay set queued_count = queued_count + ?, status = ?, finished_at = case when ? then null else now() end
       where webhook_id = ?`,
      [queued, hasMore ? 'running' : 'finished', hasMore, webhookId],
    );
    return hasMore && queued === 0;
  });
}

/** As if the event had just happened: former failures do not count. */
const requeued = `status = 'pending', recent_failures = 0, recovery_count = 0, queued_at = now(), next_attempt_at = now(),
  finished_at = null`;

/**
 * Deliveries are sent in the order of their ids, and new ones have the highest. A batch therefore ends where an event
 * that has a delivery follows one that has none.
 */
async function queueEvents(em: EntityManager, { licenseId }: Ctx, replay: WebhookReplay): Promise<Progress> {
  const { webhookId, patterns, isOnlyMissing, afterAt, afterSeq, lastSeq, toAt } = replay;
  const [row] = await em.execute<Progress[]>(
    `with scanned as materialized (
       select * from event_log as event
       where license_id = ? and (recorded_at, seq) > (?::timestamptz, ?::bigint) and seq <= ? and recorded_at < ?::timestamptz
       order by recorded_at, seq limit ${maxScanned}
     ), known as (
       select event.*, exists (select from webhook_delivery as delivery
         where delivery.webhook_id = webhook.id and delivery.event_id = event.id) as is_known
       from scanned as event join webhook on webhook.id = ? and ${matches('webhook.events', 'event')}
         and ${matches('?::text[]', 'event')}
     ), wanted as materialized (
       select *, is_known and bool_or(not is_known) over (order by seq rows unbounded preceding) as is_misplaced
       from known where not (is_known and ?)
     ), batch as materialized (
       select * from wanted
       where seq < coalesce((select min(seq) from wanted where is_misplaced), 9223372036854775807)
       order by seq limit ${batchSize}
     ), later as (
       select min(seq) as seq from wanted where seq > (select max(seq) from batch)
     ), made as (
       insert into webhook_delivery (webhook_id, event, event_id, body)
       select ?, event.type, event.id, ${eventBody('event')} from batch as event order by event.seq
       on conflict (webhook_id, event_id) do update set ${requeued}
       where webhook_delivery.status <> 'pending' and not ?
       returning id
     ), last as (
       select seq, recorded_at from scanned where seq < coalesce((select seq from later), 9223372036854775807)
       order by seq desc limit 1
     ), moved as (
       update webhook_replay set after_seq = last.seq, after_at = last.recorded_at from last where webhook_id = ?
     )
     select (select count(*)::integer from made) as queued,
       (select seq from later) is not null or (select count(*) from scanned) = ${maxScanned} as "hasMore"`,
    [
      licenseId,
      afterAt,
      afterSeq,
      lastSeq,
      toAt?.toISOString() ?? 'infinity',
      webhookId,
      `{${(patterns ?? ['*']).join(',')}}`,
      isOnlyMissing,
      webhookId,
      isOnlyMissing,
      webhookId,
    ],
  );
  return row ?? { queued: 0, hasMore: false };
}

async function queueFailed(em: EntityManager, replay: WebhookReplay): Promise<Progress> {
  const { webhookId, afterDeliveryId, fromAt, createdAt } = replay;
  const [row] = await em.execute<Progress[]>(
    `with batch as materialized (
       select id from webhook_delivery
       where webhook_id = ? and status in ('failed', 'cancelled') and event <> 'test' and id > ?
         and finished_at between ?::timestamptz and ?::timestamptz
       order by id limit ${batchSize}
     ), made as (
       update webhook_delivery set ${requeued} from batch where webhook_delivery.id = batch.id
         and webhook_delivery.status in ('failed', 'cancelled')
       returning webhook_delivery.id
     ), moved as (
       update webhook_replay set after_delivery_id = last.id
       from (select id from batch order by id desc limit 1) as last where webhook_id = ?
     )
     select (select count(*)::integer from made) as queued, (select count(*) from batch) = ${batchSize} as "hasMore"`,
    [webhookId, afterDeliveryId, fromAt, createdAt, webhookId],
  );
  return row ?? { queued: 0, hasMore: false };
}
