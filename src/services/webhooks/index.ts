// Where events of a license are sent to: made, changed, given new secrets.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import { refusing } from '../../database/faults.ts';
import type { Queries } from '../../database/reader.ts';
import { Webhook } from '../../entities/index.ts';
import { DomainError, invalidField, notFound } from '../../errors.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { eventBody } from '../../events/domain-events.ts';
import { refuseBeyond, type Limit } from '../../preconditions/limits.ts';
import { byId, pageOf, type Page } from '../../lists/page.ts';
import { refuseStale } from '../../preconditions/version.ts';
import type { WebhookSecrets } from './secrets.ts';

export const maxWebhooks = 50;

/** The events that enabling a webhook delivers afterwards are at most so old, and so many. */
const maxMissedDays = 30;
const maxMissedEvents = 1_000;

/** Its secret is sealed still. */
export type WebhookRow = Awaited<ReturnType<typeof webhookOf>> & { isSecretReadable: boolean };

export interface CreatedWebhook {
  row: WebhookRow;
  /** In plain text. It can't be had again. */
  secret: string;
}

export class Webhooks {
  readonly #outbound: Pick<Outbound, 'check'>;
  readonly #secrets: WebhookSecrets;

  constructor(outbound: Pick<Outbound, 'check'>, secrets: WebhookSecrets) {
    this.#outbound = outbound;
    this.#secrets = secrets;
  }

  async list(ctx: Ctx, query: Query<'listWebhooks'>): Promise<Page<WebhookRow>> {
    const { rows, nextCursor } = await ctx.read((queries) =>
      pageOf(webhooks(queries), query, byId('id', 'asc')),
    );
    return { rows: rows.map((row) => this.#judged(row)), nextCursor };
  }

  async get(ctx: Ctx, id: string): Promise<WebhookRow> {
    return this.#judged(await ctx.read((queries) => webhookOf(queries, id)));
  }

  async create(ctx: Ctx, input: Schemas['WebhookCreate']): Promise<CreatedWebhook> {
    this.refuseUrl(input.url);
    return ctx.transact(async (em, queries) => {
      await refuseBeyond(em, webhookLimit(em, ctx.licenseId));
      const { webhook, secret } = await this.add(em, input);
      await flushNamed(em, webhook);
      return { row: this.#judged(await webhookOf(queries, webhook.id)), secret };
    });
  }

  /** Makes one with a secret of its own, to be flushed. */
  async add(
    em: EntityManager,
    { name, url, events, is_enabled: isEnabled = true }: Schemas['WebhookCreate'],
  ): Promise<{ webhook: Webhook; secret: string }> {
    const [made] = await em.execute<{ id: string }[]>('select uuidv7() as id');
    const id = made?.id ?? '';
    const { secret, sealed } = this.#secrets.create(id);
    return {
      webhook: em.create(Webhook, {
        id,
        name,
        url,
        events,
        isEnabled,
        offSince: isEnabled ? null : new Date(),
        secret: sealed,
      }),
      secret,
    };
  }

  async update(
    ctx: Ctx,
    id: string,
    expectedVersion: number | null,
    changes: Schemas['WebhookUpdate'],
  ): Promise<WebhookRow> {
    if (changes.url !== undefined) this.refuseUrl(changes.url);
    if (changes.deliver_missed === true && changes.is_enabled !== true)
      throw invalidField({
        in: 'body',
        pointer: '/deliver_missed',
        detail: 'Missed events are delivered when a webhook is enabled: send `is_enabled: true` with it.',
      });
    return ctx.transact(async (em, queries) => {
      const webhook = await lockedWebhook(em, id, expectedVersion);
      await change(em, webhook, changes);
      await flushNamed(em, webhook);
      return this.#judged(await webhookOf(queries, id));
    });
  }

  async delete(ctx: Ctx, id: string, expectedVersion: number | null): Promise<void> {
    await ctx.transact(async (em) => {
      em.remove(await lockedWebhook(em, id, expectedVersion));
    });
  }

  /**
   * Makes a new secret. The one before signs too for as long as was asked, unless it can't be read. There are two at
   * most: as long as a former one signs, another with an overlap is refused, and one without ends both.
   */
  async rotate(
    ctx: Ctx,
    id: string,
    { overlap_hours: hours }: Schemas['WebhookSecretReplace'],
  ): Promise<CreatedWebhook> {
    const { secret, sealed } = this.#secrets.create(id);
    return ctx.transact(async (em, queries) => {
      const webhook = await lockedWebhook(em, id, null);
      const overlaps = hours > 0 && this.#secrets.isReadable(webhook.secret, id);
      if (overlaps) refuseThird(webhook);
      em.assign(webhook, {
        secret: sealed,
        previousSecret: overlaps ? webhook.secret : null,
        previousSecretEndsAt: overlaps ? new Date(Date.now() + hours * 3_600_000) : null,
        version: webhook.version + 1,
      });
      await em.flush();
      return { row: this.#judged(await webhookOf(queries, id)), secret };
    });
  }

  #judged(row: Awaited<ReturnType<typeof webhookOf>>): WebhookRow {
    return { ...row, isSecretReadable: this.#secrets.isReadable(row.secret, row.id) };
  }

  /** Throws when it can be told by looking at the URL that nothing will ever be sent there. */
  refuseUrl(url: string): void {
    try {
      this.#outbound.check(url);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw invalidField({ in: 'body', pointer: '/url', detail: error.message });
    }
  }
}

/** Receivers may still know nothing but the former one. */
function refuseThird({ name, previousSecretEndsAt: endsAt }: Webhook): void {
  if (endsAt === null || endsAt === undefined || new Date(endsAt).getTime() <= Date.now()) return;
  throw new DomainError(
    'secret_still_signs',
    `The former secret of ${name} signs until ${new Date(endsAt).toISOString()}. Wait for that, or rotate without an overlap, which ends both at once.`,
  );
}

/** Applies what was asked for. Deliveries to a webhook that is disabled by it wait, unless they were tried already. */
export async function change(
  em: EntityManager,
  webhook: Webhook,
  {
    name,
    url,
    events,
    is_enabled: isEnabled,
    deliver_missed: isMissedWanted = false,
  }: Schemas['WebhookUpdate'],
): Promise<void> {
  const isSwitched = isEnabled !== undefined && isEnabled !== webhook.isEnabled;
  webhook.name = name ?? webhook.name;
  webhook.events = events ?? webhook.events;
  if (isSwitched || (url !== undefined && url !== webhook.url)) {
    webhook.recentFailures = 0;
    webhook.restsUntil = null;
  }
  if (url !== undefined && url !== webhook.url) await hurryWaiting(em, webhook.id);
  webhook.url = url ?? webhook.url;
  webhook.version += 1;
  if (!isSwitched) return;
  if (isEnabled && isMissedWanted) await queueMissed(em, webhook);
  em.assign(webhook, {
    isEnabled,
    offSince: isEnabled ? null : new Date(),
    disabledAt: null,
    disabledReason: null,
  });
  if (isEnabled) await hurryWaiting(em, webhook.id);
  else await cancelWaiting(em, webhook.id);
}

/** What waits is sent at once and in order, as if it had just been queued: former failures do not count. */
async function hurryWaiting(em: EntityManager, webhookId: string): Promise<void> {
  await em.execute(
    `update webhook_delivery set recent_failures = 0, recovery_count = 0, queued_at = now(), next_attempt_at = now()
     where webhook_id = ? and status = 'pending'`,
    [webhookId],
  );
  await em.execute('update webhook set in_order_until = now() where id = ?', [webhookId]);
}

/**
 * Queues the latest events since the webhook was disabled that were never queued for it, and what disabling it has
 * cancelled. Transactions that recorded an event may have begun a little before it was disabled.
 */
async function queueMissed(em: EntityManager, { id, events, offSince, createdAt }: Webhook): Promise<void> {
  if (offSince === null || offSince === undefined) return;
  await em.execute(
    `update webhook_delivery set status = 'pending', next_attempt_at = now(), finished_at = null
     where webhook_id = ? and status = 'cancelled' and finished_at >= ?::timestamptz - interval '1 minute'`,
    [id, offSince],
  );
  await em.execute(
    `insert into webhook_delivery (webhook_id, event, event_id, body)
     select ?, kind, id, ${eventBody('missed')} from (
       select * from domain_event as event
       where kind = any(?::text[]) and occurred_at >= greatest(?::timestamptz - interval '1 minute', ?::timestamptz,
           now() - make_interval(days => ?))
         and not exists (select from webhook_delivery where webhook_id = ? and event_id = event.id)
       order by id desc limit ?
     ) as missed order by id
     on conflict (webhook_id, event_id) do nothing`,
    [id, `{${events.join(',')}}`, offSince, createdAt, maxMissedDays, id, maxMissedEvents],
  );
}

/** Ends what was tried already; it can be sent again on request. What was never tried waits until the webhook is enabled. */
export async function cancelWaiting(em: EntityManager, webhookId: string): Promise<void> {
  await em.execute(
    `update webhook_delivery set status = 'cancelled', next_attempt_at = null, finished_at = now(),
       detail = 'The webhook was disabled.'
     where webhook_id = ? and status = 'pending' and attempt_count > 0`,
    [webhookId],
  );
}

function webhooks(queries: Queries) {
  return queries
    .selectFrom('webhook')
    .select((eb) => [
      'id',
      'name',
      'url',
      'events',
      'is_enabled',
      'disabled_at',
      'disabled_reason',
      'secret',
      eb
        .case()
        .when('previous_secret_ends_at', '>', eb.fn<string>('now'))
        .then(eb.ref('previous_secret_ends_at'))
        .end()
        .as('previous_secret_ends_at'),
      'last_delivery_at',
      'last_status',
      'last_status_code',
      'version',
      'created_at',
    ]);
}

export async function webhookOf(queries: Queries, id: string) {
  const webhook = await webhooks(queries).where('id', '=', id).executeTakeFirst();
  if (webhook === undefined) throw notFound('webhook');
  return webhook;
}

/** Keeps it as it is until the transaction has ended. */
export async function lockedWebhook(
  em: EntityManager,
  id: string,
  expectedVersion: number | null,
): Promise<Webhook> {
  const webhook = await em.findOne(Webhook, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (webhook === null) throw notFound('webhook');
  refuseStale(webhook, expectedVersion, 'The webhook');
  return webhook;
}

/** How many webhooks a license has at most. */
export const webhookLimit = (em: EntityManager, licenseId: string): Limit => ({
  subject: `webhooks ${licenseId}`,
  most: maxWebhooks,
  count: () => em.count(Webhook),
  detail: `A license has at most ${maxWebhooks} webhooks.`,
});

function flushNamed(em: EntityManager, { name }: Webhook): Promise<void> {
  return refusing(
    {
      webhook_license_id_name_key: () =>
        new DomainError('name_taken', `There is a webhook named ${name} already.`),
    },
    () => em.flush(),
  );
}
