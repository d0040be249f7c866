// The settings of a license's store, and its payment provider.
import type { Ctx } from '../../../context.ts';
import type { Schemas } from '../../../platform-contract/types.ts';
import type { EntityManager } from '../../../database/connection.ts';
import type { Queries } from '../../../database/reader.ts';
import { holdLock } from '../../../database/advisory-locks.ts';
import { StoreAccount, StoreConfig, StoreItem, StoreOrder } from '../../../entities/index.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { recordEvent } from '../../../events/record.ts';
import type { ProviderName } from '../../../payments/provider.ts';
import { isSandbox, refuseInSandbox } from '../../../preconditions/sandboxes.ts';
import { refuseStale } from '../../../preconditions/version.ts';
import type { AccountSecrets, StoreSecrets } from './accounts.ts';
import { isOpen } from './openness.ts';

export type StoreConfigRow = Awaited<ReturnType<StoreSettings['get']>>;
export type ProviderRow = Schemas['PaymentProvider'];

export interface StoreSettingsParts {
  secrets: StoreSecrets;
  allowsSandbox: boolean;
  /** The public URL of the platform. */
  publicUrl: () => string;
}

export const defaultTheme: Schemas['StoreTheme'] = {
  accent: '#d9481f',
  background: '#101418',
  text: '#f5f7fa',
};

export class StoreSettings {
  readonly #parts: StoreSettingsParts;

  constructor(parts: StoreSettingsParts) {
    this.#parts = parts;
  }

  async get(ctx: Ctx) {
    return ctx.read((queries) => this.#configOf(queries));
  }

  async replace(
    ctx: Ctx,
    expectedVersions: readonly number[] | null,
    { name, currency, theme, terms, provider, is_enabled: isEnabled }: Schemas['StoreSettingsReplace'],
  ): Promise<StoreConfigRow> {
    return ctx.transact(async (em, queries) => {
      await lockStore(em, ctx.licenseId);
      const stored = await em.findOne(StoreConfig, ctx.licenseId);
      const version = stored?.version ?? 0;
      refuseStale({ version }, expectedVersions);
      if ((await em.count(StoreItem, { currency: { $ne: currency } })) > 0)
        throw new DomainError(
          'currency_in_use',
          'The store has items with prices in another currency; delete them first.',
        );
      if (provider !== null && !(await this.#isReady(ctx, em, queries, provider))) throw notReady(provider);
      if (provider === null && isEnabled)
        throw new DomainError('provider_not_ready', 'The store has no payment provider; choose one first.');
      const config = { name, currency, theme, terms, provider, isEnabled, version: version + 1 };
      if (stored === null) em.create(StoreConfig, config);
      else em.assign(stored, config);
      await em.flush();
      if (provider !== 'sandbox') await endSandboxOrders(em);
      return this.#configOf(queries);
    });
  }

  async listProviders(ctx: Ctx): Promise<ProviderRow[]> {
    return ctx.read((queries) => this.#providers(ctx, queries));
  }

  async replaceAccount(
    ctx: Ctx,
    { secret_key: secretKey, webhook_secret: webhookSecret }: Schemas['StripeConnection'],
  ): Promise<ProviderRow> {
    return ctx.transact(async (em, queries) => {
      await refuseInSandbox(queries, ctx.licenseId, 'A sandbox takes only sandbox payments.');
      await lockStore(em, ctx.licenseId);
      const encrypted = {
        ...this.#parts.secrets.close(ctx.licenseId, { secretKey, webhookSecret }),
        isTest: secretKey.includes('_test_'),
        updatedAt: new Date(),
      };
      const stored = await accountInUse(em);
      if (stored !== null && !this.#isSame(ctx.licenseId, stored, { secretKey, webhookSecret }))
        await retire(em, stored);
      if (stored === null || stored.retiredAt) em.create(StoreAccount, { provider: 'stripe', ...encrypted });
      else em.assign(stored, encrypted);
      await em.flush();
      await recordProvider(em, 'store.provider_connected', ctx, encrypted);
      const [account] = (await this.#providers(ctx, queries)).filter(({ provider }) => provider === 'stripe');
      if (account === undefined) throw notFound('provider');
      return account;
    });
  }

  async deleteAccount(ctx: Ctx): Promise<void> {
    await ctx.transact(async (em) => {
      await lockStore(em, ctx.licenseId);
      if ((await em.count(StoreConfig, { provider: 'stripe' })) > 0)
        throw new DomainError('provider_in_use', 'The store uses Stripe; choose another provider first.');
      const stored = await accountInUse(em);
      if (stored === null) throw notFound('account');
      await retire(em, stored);
      if (!stored.retiredAt) em.remove(stored);
      await recordProvider(em, 'store.provider_disconnected', ctx, stored);
    });
  }

  #isSame(licenseId: string, stored: StoreAccount, { secretKey, webhookSecret }: AccountSecrets): boolean {
    const known = this.#parts.secrets.open(licenseId, stored);
    return known.secretKey === secretKey && known.webhookSecret === webhookSecret;
  }

  async #isReady(ctx: Ctx, em: EntityManager, queries: Queries, provider: ProviderName): Promise<boolean> {
    if (provider === 'sandbox') return this.#mayUseSandbox(ctx, queries);
    return (await em.count(StoreAccount, { provider, retiredAt: null })) > 0;
  }

  async #mayUseSandbox(ctx: Ctx, queries: Queries): Promise<boolean> {
    return this.#parts.allowsSandbox || (await isSandbox(queries, ctx.licenseId));
  }

  /** A license that has never configured its store has a closed one with the license's name. */
  async #configOf(queries: Queries) {
    const { allowsSandbox, publicUrl } = this.#parts;
    const license = await queries
      .selectFrom('license')
      .select(['name', 'subdomain'])
      .executeTakeFirstOrThrow();
    const stored = await queries
      .selectFrom('store_config as config')
      .select([
        'name',
        'currency',
        'theme',
        'terms',
        'provider',
        'is_enabled',
        'version',
        isOpen(allowsSandbox).as('is_open'),
      ])
      .executeTakeFirst();
    const unset = {
      name: license.name,
      currency: 'USD' as const,
      theme: defaultTheme,
      terms: null,
      provider: null,
      is_enabled: false,
      version: 0,
      is_open: false,
    };
    return { ...(stored ?? unset), public_url: `${publicUrl()}/store/${license.subdomain}` };
  }

  async #providers(ctx: Ctx, queries: Queries): Promise<ProviderRow[]> {
    const { publicUrl } = this.#parts;
    const takesReal = !(await isSandbox(queries, ctx.licenseId));
    const allowsSandbox = await this.#mayUseSandbox(ctx, queries);
    const { subdomain } = await queries.selectFrom('license').select('subdomain').executeTakeFirstOrThrow();
    const account = await queries
      .selectFrom('store_account')
      .select(['is_test', 'updated_at'])
      .where('provider', '=', 'stripe')
      .where('retired_at', 'is', null)
      .executeTakeFirst();
    return [
      {
        provider: 'sandbox',
        is_allowed: allowsSandbox,
        is_ready: allowsSandbox,
        is_test: true,
        webhook_url: null,
        updated_at: null,
      },
      {
        provider: 'stripe',
        is_allowed: takesReal,
        is_ready: account !== undefined,
        is_test: account?.is_test ?? false,
        webhook_url: `${publicUrl()}/api/public-store/${subdomain}/webhook`,
        updated_at: account?.updated_at ?? null,
      },
    ];
  }
}

const accountInUse = (em: EntityManager) => em.findOne(StoreAccount, { provider: 'stripe', retiredAt: null });

const recordProvider = (
  em: EntityManager,
  type: 'store.provider_connected' | 'store.provider_disconnected',
  { licenseId }: Ctx,
  { isTest }: { isTest: boolean },
) => recordEvent(em, type, { subject: licenseId, data: { provider: 'stripe', is_test: isTest } });

/** A store that takes real payments does not honour sandbox orders. */
async function endSandboxOrders(em: EntityManager): Promise<void> {
  const ended = { status: 'expired', hasExpired: true } as const;
  await em.nativeUpdate(StoreOrder, { provider: 'sandbox', status: 'pending' }, ended);
}

/** Retires an account that has orders: they are still polled, and callbacks about them are still accepted. */
async function retire(em: EntityManager, account: StoreAccount): Promise<void> {
  if ((await em.count(StoreOrder, { accountId: account.id })) === 0) return;
  account.retiredAt = new Date();
  await em.flush();
}

/** Serialises changes of a store's settings with an advisory lock. */
export function lockStore(em: EntityManager, licenseId: string): Promise<void> {
  return holdLock(em, `store ${licenseId}`);
}

/** The currency of the store's prices. */
export async function currencyOf(queries: Queries): Promise<Schemas['StoreCurrency']> {
  const config = await queries.selectFrom('store_config').select('currency').executeTakeFirst();
  return config?.currency ?? 'USD';
}

const notReady = (provider: ProviderName) =>
  new DomainError(
    'provider_not_ready',
    provider === 'sandbox'
      ? 'This installation does not allow sandbox payments.'
      : 'The Stripe account has no secrets yet; set them first.',
  );
