// Creates, changes and deletes the webhooks of a license, and rotates their secrets.
// A delivery passes through these files: dispatch.ts leases a webhook to this process, receiver-run.ts sends its due
// deliveries, attempts.ts makes one attempt, outcome-batches.ts collects attempts, and outcomes.ts records them and
// schedules the next retry. replays.ts and replay-work.ts queue
// past events again.
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import { refusing } from '../../database/faults.ts';
import type { Queries } from '../../database/reader.ts';
import { Webhook } from '../../entities/index.ts';
import { DomainError, invalidField, notFound } from '../../errors.ts';
import { timeSql } from '../../events/cursor.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { eventTypes, typesOf } from '../../platform-contract/events.ts';
import { refuseBeyond, type Limit } from '../../preconditions/limits.ts';
import { byId, pageOf, type Page } from '../../lists/page.ts';
import { refuseStale } from '../../preconditions/version.ts';
import { refuseBeyondOwn } from '../team/access.ts';
import { queueMissed, queueUnrelayed, skipEarlier } from './missed-events.ts';
import type { WebhookSecrets } from './secrets.ts';

export const maxWebhooks = 50;
export const maxWebhooksOfSandbox = 5;

/** The secret is still encrypted. */
export type WebhookRow = Awaited<ReturnType<typeof webhookOf>> & { isSecretReadable: boolean };

export interface CreatedWebhook {
  row: WebhookRow;
  /** In plain text. It cannot be retrieved again. */
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
    return { rows: rows.map((row) => this.#withSecretState(row)), nextCursor };
  }

  async get(ctx: Ctx, id: string): Promise<WebhookRow> {
    return this.#withSecretState(await ctx.read((queries) => webhookOf(queries, id)));
  }

  async create(ctx: Ctx, input: Schemas['WebhookCreate']): Promise<CreatedWebhook> {
    this.refuseUrl(input.url);
    refuseUnreadable(ctx, input.events);
    return ctx.transact(async (em, queries) => {
      await refuseBeyond(em, webhookLimit(em, ctx.licenseId));
      const { webhook, secret } = await this.add(em, input);
      await flushNamed(em, webhook);
      return { row: this.#withSecretState(await webhookOf(queries, webhook.id)), secret };
    });
  }

  /** Creates a webhook with a secret of its own; the caller flushes it. */
  async add(
    em: EntityManager,
    { name, url, events, is_enabled: isEnabled = true }: Schemas['WebhookCreate'],
  ): Promise<{ webhook: Webhook; secret: string }> {
    const [made] = await em.execute<{ id: string }[]>('select uuidv7() as id');
    const id = made?.id ?? '';
    const { secret, encrypted } = this.#secrets.create(id);
    return {
      webhook: em.create(Webhook, {
        id,
        name,
        url,
        events,
        isEnabled,
        offSince: isEnabled ? null : new Date(),
        secret: encrypted,
      }),
      secret,
    };
  }

  async update(
    ctx: Ctx,
    id: string,
    expectedVersions: readonly number[] | null,
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
      const webhook = await lockedWebhook(em, id, expectedVersions);
      if (changes.events !== undefined) refuseUnreadable(ctx, changes.events);
      if (changes.url !== undefined)
        refuseUnreadable(ctx, [...webhook.events, ...(await storedTypes(queries, id))]);
      await change(em, webhook, changes);
      await flushNamed(em, webhook);
      return this.#withSecretState(await webhookOf(queries, id));
    });
  }

  async delete(ctx: Ctx, id: string, expectedVersions: readonly number[] | null): Promise<void> {
    await ctx.transact(async (em) => {
      em.remove(await lockedWebhook(em, id, expectedVersions));
    });
  }

  /**
   * Creates a new secret. The former secret keeps signing for `overlap_hours`, unless it cannot be decrypted. At most
   * two secrets sign: while a former one does, a rotation with an overlap is refused, and one without ends both.
   */
  async rotate(
    ctx: Ctx,
    id: string,
    { overlap_hours: hours }: Schemas['WebhookSecretRotation'],
  ): Promise<CreatedWebhook> {
    const { secret, encrypted } = this.#secrets.create(id);
    return ctx.transact(async (em, queries) => {
      const webhook = await lockedWebhook(em, id, null);
      const overlaps = hours > 0 && this.#secrets.isReadable(webhook.secret, id);
      if (overlaps) refuseThird(webhook);
      em.assign(webhook, {
        secret: encrypted,
        previousSecret: overlaps ? webhook.secret : null,
        previousSecretEndsAt: overlaps ? new Date(Date.now() + hours * 3_600_000) : null,
        version: webhook.version + 1,
      });
      await em.flush();
      return { row: this.#withSecretState(await webhookOf(queries, id)), secret };
    });
  }

  #withSecretState(row: Awaited<ReturnType<typeof webhookOf>>): WebhookRow {
    return { ...row, isSecretReadable: this.#secrets.isReadable(row.secret, row.id) };
  }

  /** Throws if the URL alone shows that nothing will ever be sent to it. */
  refuseUrl(url: string): void {
    try {
      this.#outbound.check(url);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw invalidField({ in: 'body', pointer: '/url', detail: error.message });
    }
  }
}

/** Types of its deliveries, which are sent to a new URL if they are pending, resent or recovered. */
async function storedTypes(queries: Queries, webhookId: string): Promise<string[]> {
  const types = await queries
    .selectFrom('webhook_delivery')
    .select('event')
    .distinct()
    .where('webhook_id', '=', webhookId)
    .execute();
  return types.map(({ event }) => event);
}

/** A caller who chooses where events go, or which, could read them there. */
export function refuseUnreadable({ license }: Ctx, patterns: readonly string[]): void {
  const permissions = patterns.flatMap(typesOf).map((type) => eventTypes[type].permission);
  refuseBeyondOwn(
    license.permissions,
    Object.fromEntries(permissions.map((permission) => [permission, true])),
  );
}

/** Receivers may still know only the former secret, so it must not be displaced. */
function refuseThird({ name, previousSecretEndsAt: endsAt }: Webhook): void {
  if (endsAt === null || endsAt === undefined || new Date(endsAt).getTime() <= Date.now()) return;
  throw new DomainError(
    'secret_still_signs',
    `The former secret of ${name} is valid until ${new Date(endsAt).toISOString()}. Wait until then, or rotate without an overlap, which revokes both.`,
  );
}

/** Applies the changes. When this disables the webhook, its untried deliveries stay pending. */
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
  if (isEnabled) await skipEarlier(em, webhook.id);
  else await queueUnrelayed(em, webhook.id);
  em.assign(webhook, {
    isEnabled,
    offSince: isEnabled ? null : new Date(),
    disabledAt: null,
    disabledReason: null,
  });
  if (isEnabled) await hurryWaiting(em, webhook.id);
  else await cancelWaiting(em, webhook.id);
}

/** Makes pending deliveries due, in order, as if just queued: former failures do not count. */
async function hurryWaiting(em: EntityManager, webhookId: string): Promise<void> {
  await em.execute(
    `update webhook_delivery set recent_failures = 0, recovery_count = 0, queued_at = now(), next_attempt_at = now()
     where webhook_id = ? and status = 'pending'`,
    [webhookId],
  );
  await em.execute('update webhook set in_order_until = now() where id = ?', [webhookId]);
}

/**
 * Cancels the running replay, and deliveries that were tried already; they can be resent on request. Untried ones wait
 * until the webhook is enabled. Call it with the webhook's row locked.
 */
export async function cancelWaiting(em: EntityManager, webhookId: string): Promise<void> {
  await em.execute(
    `update webhook_delivery set status = 'cancelled', next_attempt_at = null, finished_at = now(),
       detail = 'The webhook was disabled.'
     where webhook_id = ? and status = 'pending' and attempt_count > 0`,
    [webhookId],
  );
  await em.execute(
    `update webhook_replay set status = 'cancelled', finished_at = now() where webhook_id = ? and status = 'running'`,
    [webhookId],
  );
}

function webhooks(queries: Queries) {
  return queries.selectFrom('webhook').select((eb) => [
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
    eb
      .selectFrom('webhook_replay')
      .select(
        sql<Schemas['WebhookReplay']>`json_build_object('status', status, 'queued_count', queued_count,
          'started_at', ${sql.raw(timeSql('created_at'))}, 'finished_at', ${sql.raw(timeSql('finished_at'))})`.as(
          'state',
        ),
      )
      .whereRef('webhook_replay.webhook_id', '=', 'webhook.id')
      .as('replay'),
  ]);
}

export async function webhookOf(queries: Queries, id: string) {
  const webhook = await webhooks(queries).where('id', '=', id).executeTakeFirst();
  if (webhook === undefined) throw notFound('webhook');
  return webhook;
}

/** Locks the webhook until the transaction ends. */
export async function lockedWebhook(
  em: EntityManager,
  id: string,
  expectedVersions: readonly number[] | null,
): Promise<Webhook> {
  const webhook = await em.findOne(Webhook, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (webhook === null) throw notFound('webhook');
  refuseStale(webhook, expectedVersions, 'The webhook');
  return webhook;
}

export const webhookLimit = (em: EntityManager, licenseId: string): Limit => ({
  subject: `webhooks ${licenseId}`,
  max: maxWebhooks,
  count: () => em.count(Webhook),
  detail: `A license has at most ${maxWebhooks} webhooks, and a sandbox ${maxWebhooksOfSandbox}.`,
  inSandbox: { licenseId, max: maxWebhooksOfSandbox },
});

function flushNamed(em: EntityManager, { name }: Webhook): Promise<void> {
  return refusing(
    {
      webhook_license_id_name_key: () =>
        new DomainError('name_taken', `A webhook named ${name} already exists.`),
    },
    () => em.flush(),
  );
}
