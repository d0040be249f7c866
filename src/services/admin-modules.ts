// The module catalogue, as super admins maintain it.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../context.ts';
import type { Query, Schemas } from '../platform-contract/types.ts';
import { refusing } from '../database/faults.ts';
import type { Queries } from '../database/reader.ts';
import { Module } from '../entities/index.ts';
import { DomainError, invalidField, notFound } from '../errors.ts';
import { refuseStale } from '../preconditions/version.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { hundredthsOf } from '../payments/money.ts';
import { downloadUrlOf } from './modules/index.ts';
import { grantsModule } from './modules/ownership.ts';
import { byId, pageOf } from '../lists/page.ts';
import type { Administration } from './auth/administration.ts';

export type CatalogueRow = Awaited<ReturnType<typeof moduleOf>>;

export class AdminModules {
  readonly #administration: Administration;
  readonly #publicUrl: () => string;
  readonly #outbound: Pick<Outbound, 'checkNow'>;

  constructor(administration: Administration, publicUrl: () => string, outbound: Pick<Outbound, 'checkNow'>) {
    this.#administration = administration;
    this.#publicUrl = publicUrl;
    this.#outbound = outbound;
  }

  async list(ctx: Ctx, query: Query<'listCatalogModules'>) {
    return this.#administration.read(ctx, (queries) =>
      pageOf(modulesOf(queries), query, byId('module.id', 'desc')),
    );
  }

  async get(ctx: Ctx, id: string): Promise<CatalogueRow> {
    return this.#administration.read(ctx, (queries) => moduleOf(queries, id));
  }

  async create(ctx: Ctx, input: Schemas['CatalogModuleCreate']): Promise<CatalogueRow> {
    const { slug, name, description, features, plugin, is_listed: isListed = true } = input;
    await this.#refuseUrl(input.download.url);
    const terms = termsOf(input);
    refuseImpossibleTerms({ billingPeriod: 'once', yearlyPrice: null, trialDays: 0, ...terms });
    return this.#administration.transact(ctx, async (em, queries) => {
      const module = em.create(Module, {
        slug,
        name,
        description,
        features,
        plugin,
        isListed,
        ...terms,
        ...priceOf(input.price),
        ...downloadOf(input.download),
      });
      const taken = () => new DomainError('name_taken', `A module with the slug ${slug} already exists.`);
      await refusing({ module_slug_key: taken }, () => em.flush());
      return moduleOf(queries, module.id);
    });
  }

  async update(
    ctx: Ctx,
    id: string,
    changes: Schemas['CatalogModuleUpdate'],
    expectedVersions: readonly number[] | null,
  ): Promise<CatalogueRow> {
    const { name, description, features, is_listed: isListed, price, download } = changes;
    if (download !== undefined) await this.#refuseUrl(download.url);
    return this.#administration.transact(ctx, async (em, queries) => {
      const module = await em.findOne(
        Module,
        { id, isSimulated: false },
        { lockMode: LockMode.PESSIMISTIC_WRITE },
      );
      if (module === null) throw notFound('module');
      refuseStale(module, expectedVersions, module.name);
      em.assign(module, {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(features !== undefined && { features }),
        ...(isListed !== undefined && { isListed }),
        ...(price !== undefined && priceOf(price)),
        ...(download !== undefined && downloadOf(download)),
        ...termsOf(changes),
        version: module.version + 1,
      });
      refuseImpossibleTerms(module);
      await em.flush();
      return moduleOf(queries, id);
    });
  }

  /** Agents fetch this URL from inside customers' networks, so it must be one that the platform itself may request. */
  async #refuseUrl(url: string): Promise<void> {
    if (url.startsWith('/')) return;
    try {
      await this.#outbound.checkNow(url);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw invalidField({ in: 'body', pointer: '/download/url', detail: error.message });
    }
  }

  /** The URL from which agents download the plugin. */
  urlOf(module: CatalogueRow): string {
    return downloadUrlOf(module, this.#publicUrl());
  }
}

const priceOf = ({ amount, currency }: Schemas['ModulePrice']) => ({ price: hundredthsOf(amount), currency });

type Terms = Pick<Schemas['CatalogModuleUpdate'], 'billing_period' | 'yearly_amount' | 'trial_days'>;

/** The given price terms. */
const termsOf = ({
  billing_period: billingPeriod,
  yearly_amount: yearlyAmount,
  trial_days: trialDays,
}: Terms) => ({
  ...(billingPeriod !== undefined && { billingPeriod }),
  ...(yearlyAmount !== undefined && {
    yearlyPrice: yearlyAmount === null ? null : hundredthsOf(yearlyAmount),
  }),
  ...(trialDays !== undefined && { trialDays }),
});

function refuseImpossibleTerms({
  billingPeriod,
  yearlyPrice,
  trialDays,
}: Pick<Module, 'billingPeriod' | 'yearlyPrice' | 'trialDays'>): void {
  if (typeof yearlyPrice === 'number' && billingPeriod !== 'month')
    throw invalidField({
      in: 'body',
      pointer: '/yearly_amount',
      detail: 'must be null unless billing_period is month',
    });
  if (trialDays > 0 && billingPeriod === 'once')
    throw invalidField({
      in: 'body',
      pointer: '/trial_days',
      detail: 'must be 0 when billing_period is once',
    });
}

const downloadOf = ({ url, sha256, bytes }: Schemas['ModuleDownload']) => ({
  pluginUrl: url,
  pluginSha256: sha256,
  pluginBytes: bytes,
});

function modulesOf(queries: Queries) {
  return queries
    .selectFrom('module')
    .selectAll('module')
    .where('module.is_simulated', '=', false)
    .select((eb) => [
      eb
        .selectFrom('module_purchase as purchase')
        .select((inner) => inner.fn.count<number>('purchase.license_id').distinct().as('count'))
        .innerJoin('license as buyer', 'buyer.id', 'purchase.license_id')
        .leftJoin('subscription as own', 'own.id', 'purchase.subscription_id')
        .whereRef('purchase.module_id', '=', 'module.id')
        .where('buyer.is_sandbox', '=', false)
        .where((inner) => inner.or([inner('purchase.subscription_id', 'is', null), grantsModule('own')]))
        .as('purchase_count'),
    ]);
}

async function moduleOf(queries: Queries, id: string) {
  const module = await modulesOf(queries).where('module.id', '=', id).executeTakeFirst();
  if (module === undefined) throw notFound('module');
  return module;
}
