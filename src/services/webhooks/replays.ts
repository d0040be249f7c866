// Takes requests to send past events to a webhook again: those of a part of the log, or the deliveries that failed.
// A request only stores what is wanted; replay-work.ts queues it in batches, each once the webhook has no due deliveries
// left, so that new events wait for one batch at most.
import type { Ctx } from '../../context.ts';
import type { Queries } from '../../database/reader.ts';
import { WebhookReplay, type Webhook } from '../../entities/index.ts';
import { DomainError, invalidField, notFound } from '../../errors.ts';
import { typesOf } from '../../platform-contract/events.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { keptDays, keptDaysOfDayPartitions } from '../../queue/retention-periods.ts';
import { refuseDisabled } from './deliveries.ts';
import { lockedWebhook, refuseUnreadable } from './index.ts';

/** The clocks of callers differ from the platform's. */
const maxClockDifferenceMs = 60_000;

const dayMs = 24 * 60 * 60_000;
const keptMs = keptDaysOfDayPartitions.event_log * dayMs;

type Start = Pick<WebhookReplay, 'kind'> & {
  patterns?: string[] | null;
  isOnlyMissing?: boolean;
  fromAt: Date;
  toAt?: Date | null;
  afterAt: Date;
  afterSeq?: number;
};

export type ReplayState = Pick<WebhookReplay, 'status' | 'queuedCount' | 'createdAt' | 'finishedAt'>;

export class WebhookReplays {
  async replay(ctx: Ctx, webhookId: string, input: Schemas['WebhookReplayRequest']): Promise<ReplayState> {
    const { from, from_event_id: fromEventId, to, events, only_missing: isOnlyMissing = false } = input;
    if ((from === undefined) === (fromEventId === undefined))
      throw invalidField({ in: 'body', pointer: '/from', detail: 'Send either `from` or `from_event_id`.' });
    return begin(ctx, webhookId, async (queries, webhook) => {
      const types = wantedTypes(webhook, events);
      if (types.length === 0)
        throw invalidField({
          in: 'body',
          pointer: '/events',
          detail: 'The webhook subscribes to none of these types.',
        });
      refuseUnreadable(ctx, types);
      const start =
        from === undefined
          ? await startAt(queries, ctx, fromEventId)
          : startFrom(from, '/from', { kept: 'Events', days: keptDaysOfDayPartitions.event_log });
      const toAt = to === undefined ? null : new Date(to);
      if (toAt !== null && toAt < start.fromAt)
        throw invalidField({ in: 'body', pointer: '/to', detail: 'is before the start of the replay' });
      return { kind: 'replay', patterns: events ?? null, isOnlyMissing, toAt, ...start };
    });
  }

  async recover(
    ctx: Ctx,
    webhookId: string,
    { since }: Schemas['WebhookRecoveryRequest'],
  ): Promise<ReplayState> {
    return begin(ctx, webhookId, async () => ({
      kind: 'recovery',
      ...startFrom(since, '/since', { kept: 'Deliveries', days: keptDays.webhook_delivery }),
    }));
  }
}

/** Stores the request in place of the webhook's former one. */
async function begin(
  ctx: Ctx,
  webhookId: string,
  startOf: (queries: Queries, webhook: Webhook) => Promise<Start>,
): Promise<ReplayState> {
  return ctx.transact(async (em, queries) => {
    const webhook = await lockedWebhook(em, webhookId, null);
    refuseDisabled(webhook);
    const start = await startOf(queries, webhook);
    const former = await em.findOne(WebhookReplay, { webhookId });
    if (former?.status === 'running')
      throw new DomainError(
        'limit_reached',
        `A replay of ${webhook.name} is running. Wait until it has finished, or disable the webhook to cancel it.`,
      );
    await em.nativeDelete(WebhookReplay, { webhookId });
    webhook.restsUntil = null;
    const replay = em.create(WebhookReplay, {
      webhookId,
      lastSeq: await newestSeq(queries, ctx.licenseId),
      ...start,
    });
    await em.flush();
    return replay;
  });
}

const wantedTypes = ({ events: own }: Webhook, wanted: readonly string[] | undefined) => {
  const subscribed = own.flatMap(typesOf);
  return (wanted ?? ['*']).flatMap(typesOf).filter((type) => subscribed.includes(type));
};

function startFrom(
  from: string,
  pointer: string,
  { kept, days }: { kept: string; days: number },
): Pick<Start, 'fromAt' | 'afterAt'> {
  const fromAt = new Date(from);
  const age = Date.now() - fromAt.getTime();
  if (age < -maxClockDifferenceMs) throw invalidField({ in: 'body', pointer, detail: 'is in the future' });
  if (age > days * dayMs + maxClockDifferenceMs)
    throw invalidField({ in: 'body', pointer, detail: `${kept} are kept for ${days} days.` });
  return { fromAt, afterAt: fromAt };
}

async function startAt(
  queries: Queries,
  ctx: Ctx,
  eventId = '',
): Promise<Pick<Start, 'fromAt' | 'afterAt' | 'afterSeq'>> {
  const event = await queries
    .selectFrom('event_log')
    .select(['seq', 'recorded_at'])
    .where('license_id', '=', ctx.licenseId)
    .where('id', '=', eventId)
    .where('recorded_at', '>=', new Date(Date.now() - keptMs).toISOString())
    .executeTakeFirst();
  if (event === undefined) throw notFound('event');
  const at = new Date(event.recorded_at);
  return { fromAt: at, afterAt: at, afterSeq: event.seq - 1 };
}

async function newestSeq(queries: Queries, licenseId: string): Promise<number> {
  const newest = await queries
    .selectFrom('event_sequence')
    .select('last_seq')
    .where('license_id', '=', licenseId)
    .executeTakeFirst();
  return newest?.last_seq ?? 0;
}
