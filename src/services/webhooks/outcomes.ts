// Records the outcomes of attempts: the next retry, the receiver's health, and when to give it up.
import type { Ctx } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import type { MailOut } from '../../mail/mail-out.ts';
import { ownersOf } from '../team/index.ts';
import type { Attempt } from './attempts.ts';
import { cancelWaiting } from './index.ts';
import { queueUnrelayed } from './missed-events.ts';

/** Backoff after each attempt: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
export const retrySeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const;

/** Latest attempts kept of each delivery, which may be resent any number of times. */
const maxAttemptsKept = 20;

/**
 * How often one delivery is sent early because its receiver has recovered, without counting as an attempt. A delivery
 * that itself makes the receiver fail then follows its schedule.
 */
const maxRecoveries = 3;

/** A failing receiver rests for 1, 2, 4 … seconds, at most this long. */
const maxRestSeconds = 60;

interface RecordedReceiver {
  name: string;
  is_enabled: boolean;
  has_recovered: boolean;
  last_success_at: string | Date | null;
}

/** Records all attempts in one transaction; returns whether sending to the webhook should continue. */
export async function recordAttempts(
  ctx: Ctx,
  webhookId: string,
  attempts: readonly Attempt[],
  mailOut: MailOut,
): Promise<boolean> {
  return ctx.transact(async (em, queries) => {
    const webhook = await recordReceiver(em, webhookId, attempts);
    if (webhook === undefined) return false;
    await recordDeliveries(em, attempts);
    if (webhook.has_recovered) await releaseWaiting(em, webhookId);
    const lastSuccess = webhook.last_success_at === null ? 0 : new Date(webhook.last_success_at).getTime();
    const givenUp = attempts.find(
      (one) => isLast(one) && !isTest(one) && lastSuccess < Date.parse(one.delivery.queued_at),
    );
    if (givenUp === undefined) return webhook.is_enabled;
    await disable(em, queries, { webhookId, name: webhook.name, givenUp, mailOut });
    return false;
  });
}

async function recordReceiver(
  em: EntityManager,
  webhookId: string,
  attempts: readonly Attempt[],
): Promise<RecordedReceiver | undefined> {
  const last = attempts.at(-1);
  if (last === undefined) return undefined;
  const lastSuccess = attempts.findLast(({ outcome }) => outcome === 'succeeded');
  const isWellAgain = attempts.some(({ isUnavailable }) => !isUnavailable);
  const failures = attempts.length - 1 - attempts.findLastIndex(({ isUnavailable }) => !isUnavailable);
  const [webhook] = await em.execute<RecordedReceiver[]>(
    `update webhook set
       last_delivery_at = ?, last_status = ?, last_status_code = ?,
       last_success_at = coalesce(?::timestamptz, last_success_at),
       recent_failures = reported.failures,
       rests_until = case when reported.failures > 0
         then now() + make_interval(secs => greatest(?, least(?, power(2, least(reported.failures - 1, 10))))) end,
       in_order_until = case when reported.has_recovered then now() else in_order_until end
     from (select case when ?::boolean then 0 else recent_failures end + ?::integer as failures,
             recent_failures > 0 and ?::integer = 0 and ?::boolean as has_recovered
           from webhook where id = ?) as reported
     where id = ? returning name, is_enabled, last_success_at, has_recovered`,
    [
      last.at,
      last.outcome,
      last.code,
      lastSuccess?.at ?? null,
      Math.max(0, ...attempts.map(({ waitSeconds = 0 }) => waitSeconds)),
      maxRestSeconds,
      isWellAgain,
      failures,
      failures,
      isWellAgain,
      webhookId,
      webhookId,
    ],
  );
  return webhook;
}

/**
 * For a delivery that another process has tried meanwhile, only a success is recorded. Deliveries are found by id
 * alone: usually few are pending, so with any other usable condition PostgreSQL would plan to read all pending
 * deliveries, even when there are many.
 */
async function recordDeliveries(em: EntityManager, attempts: readonly Attempt[]): Promise<void> {
  const reported = attempts.map((one) => ({
    id: one.delivery.id,
    known_count: one.delivery.attempt_count,
    status: statusAfter(one),
    delay_seconds: Math.max(retrySeconds[one.delivery.recent_failures] ?? 0, one.waitSeconds ?? 0),
    waits_for_receiver: one.isUnavailable,
    response: one.response,
    made: {
      at: one.at.toISOString(),
      outcome: one.outcome,
      status_code: one.code,
      duration_ms: one.durationMs,
      detail: one.detail,
    } satisfies Schemas['WebhookAttempt'],
  }));
  await em.execute(
    `update webhook_delivery as delivery set
       status = reported.status,
       attempt_count = delivery.attempt_count + 1,
       recent_failures = case reported.status when 'succeeded' then 0 else delivery.recent_failures + 1 end,
       next_attempt_at = case reported.status when 'pending' then now() + make_interval(secs => reported.delay_seconds) end,
       finished_at = case when reported.status <> 'pending' then now() end,
       waits_for_receiver = reported.waits_for_receiver,
       last_attempt_at = (made->>'at')::timestamptz,
       last_outcome = made->>'outcome',
       last_status_code = (made->>'status_code')::integer,
       last_duration_ms = (made->>'duration_ms')::integer,
       response = reported.response,
       detail = made->>'detail',
       attempts = case when jsonb_array_length(delivery.attempts) < ${maxAttemptsKept} then delivery.attempts
         else delivery.attempts - 0 end || made
     from jsonb_to_recordset(?::jsonb) as reported(id uuid, known_count integer, status text, delay_seconds integer,
       waits_for_receiver boolean, response text, made jsonb)
     where reported.status in ('succeeded', 'failed', 'pending')
       and delivery.id = reported.id and delivery.status || '' = 'pending'
       and (reported.status = 'succeeded' or delivery.attempt_count = reported.known_count)`,
    [JSON.stringify(reported)],
  );
}

/** Makes deliveries due that wait only because their receiver failed, and refunds the attempt that this cost. */
async function releaseWaiting(em: EntityManager, webhookId: string): Promise<void> {
  await em.execute(
    `update webhook_delivery set next_attempt_at = now(), recent_failures = greatest(recent_failures - 1, 0),
       recovery_count = recovery_count + 1
     where webhook_id = ? and status = 'pending' and next_attempt_at > now()
       and waits_for_receiver and recovery_count < ?`,
    [webhookId, maxRecoveries],
  );
}

function statusAfter(one: Attempt): 'succeeded' | 'failed' | 'pending' {
  if (one.outcome === 'succeeded') return 'succeeded';
  return isLast(one) ? 'failed' : 'pending';
}

/** Whether this failed attempt is the last one. A test is tried once. */
function isLast(one: Attempt): boolean {
  if (one.outcome === 'succeeded') return false;
  return isTest(one) || one.delivery.recent_failures >= retrySeconds.length;
}

const isTest = ({ delivery }: Attempt) => delivery.event === 'test';

interface GivenUp {
  webhookId: string;
  name: string;
  givenUp: Attempt;
  mailOut: MailOut;
}

/** Disables the webhook: its receiver has accepted nothing since the delivery was queued, despite every retry. */
async function disable(
  em: EntityManager,
  queries: Queries,
  { webhookId, name, givenUp, mailOut }: GivenUp,
): Promise<void> {
  const reason = `No delivery has been accepted since ${givenUp.delivery.queued_at}. Last failure: ${givenUp.detail ?? givenUp.outcome}`;
  const disabled = await em.execute(
    `update webhook set is_enabled = false, off_since = now(), disabled_at = now(), disabled_reason = ?, version = version + 1
     where id = ? and is_enabled returning id`,
    [reason, webhookId],
  );
  if (disabled.length === 0) return;
  await queueUnrelayed(em, webhookId);
  await cancelWaiting(em, webhookId);
  const { license, owners } = await ownersOf(queries);
  for (const to of owners) {
    await mailOut.enqueue(em, {
      to,
      template: 'webhook-disabled',
      values: { license, webhook: name, reason },
    });
  }
}
