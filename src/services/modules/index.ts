// Modules as a license sees them: the catalogue, purchases, subscriptions and installations.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import { refusing } from '../../database/faults.ts';
import type { Queries } from '../../database/reader.ts';
import { Module, ModuleInstallation, ModulePurchase } from '../../entities/index.ts';
import { DomainError, invalidField, notFound } from '../../errors.ts';
import type { Commands } from '../commands/index.ts';
import { refuseUnknownInstance } from '../../preconditions/instance-existence.ts';
import { byId, pageOf } from '../../lists/page.ts';
import { grantsModule, isOwned } from './ownership.ts';
import { beginSubscription, ModuleSubscriptions, type Offer } from './subscriptions.ts';

type Status = Schemas['ModuleInstallationStatus'];

export type ModulePurchaseRow = Awaited<ReturnType<typeof purchaseOf>>;
export type ModuleInstallationRow = Awaited<ReturnType<typeof installationOf>>;
export type ModuleRow = Awaited<ReturnType<Modules['list']>>['rows'][number];

/** Maximum length of the label that the server's console shows. */
const maxLabelLength = 200;

export class Modules {
  readonly subscriptions = new ModuleSubscriptions();
  readonly #commands: Commands;
  readonly #publicUrl: () => string;

  constructor(commands: Commands, publicUrl: () => string) {
    this.#commands = commands;
    this.#publicUrl = publicUrl;
  }

  async list(ctx: Ctx, query: Query<'listModules'>) {
    return ctx.read((queries) => {
      const modules = queries
        .selectFrom('module')
        .select([
          'module.id',
          'module.slug',
          'module.name',
          'module.description',
          'module.price',
          'module.currency',
          'module.billing_period',
          'module.yearly_price',
          'module.trial_days',
          'module.features',
          'module.plugin',
          isOwned.as('is_owned'),
        ])
        .where('module.is_listed', '=', true);
      return pageOf(modules, query, byId('module.id', 'asc'));
    });
  }

  async listOwned(ctx: Ctx, query: Query<'listOwnedModules'>) {
    return ctx.read((queries) => {
      const owned = purchases(queries)
        .leftJoin('subscription as own', 'own.id', 'purchase.subscription_id')
        .where((eb) =>
          eb.or([
            eb('purchase.subscription_id', 'is', null),
            eb.and([grantsModule('own'), eb('purchase.period_start', '=', eb.ref('own.period_start'))]),
          ]),
        );
      return pageOf(owned, query, byId('purchase.id', 'asc'));
    });
  }

  async listPurchases(ctx: Ctx, { module_subscription_id: id, ...page }: Query<'listModulePurchases'>) {
    return ctx.read((queries) => {
      let found = purchases(queries);
      if (id !== undefined) found = found.where('purchase.subscription_id', '=', id);
      return pageOf(found, page, byId('purchase.id', 'desc'));
    });
  }

  /** Records the current price. A license buys a module once, even with concurrent requests. */
  async purchase(
    ctx: Ctx,
    { module: slug, period }: Schemas['ModulePurchaseCreate'],
  ): Promise<ModulePurchaseRow> {
    const { email } = ctx.user;
    return ctx.transact(async (em, queries) => {
      const module = await em.findOne(Module, { slug, isListed: true });
      if (module === null) throw notFound('module');
      const offer = offerOf(module, period);
      const owned = () => new DomainError('module_owned', `The license already owns ${module.name}.`);
      if (await owns(queries, module.id)) throw owned();
      const purchase = await refusing({ module_purchase_once: owned, subscription_one_module: owned }, () =>
        offer === undefined ? buyOnce(em, module, email) : beginSubscription(em, module, offer, email),
      );
      return purchaseOf(queries, purchase.id);
    });
  }

  /** An instance has one installation of a module; installing again brings the catalogue's current version. */
  async install(ctx: Ctx, input: Schemas['ModuleInstallationCreate']): Promise<ModuleInstallationRow> {
    const { module: slug, instance_id: instanceId } = input;
    return ctx.transact(async (em, queries) => {
      await refuseUnknownInstance(queries, instanceId);
      const module = await ownedModule(queries, slug);
      const { id: commandId, requested_by: requestedBy } = await this.#commands.create(ctx, instanceId, {
        verb: 'install_module',
        args: {
          plugin: module.plugin,
          url: downloadUrlOf(module, this.#publicUrl()),
          sha256: module.plugin_sha256,
          bytes: module.plugin_bytes,
          by: nameOf(ctx),
        },
      });
      // Commands of one host are created one at a time, so a concurrent request's installation is visible here.
      const known = await em.findOne(ModuleInstallation, { instanceId, moduleId: module.id });
      if (known !== null) await refuseUnderWay(queries, known.id);
      const installation =
        known ?? em.create(ModuleInstallation, { instanceId, moduleId: module.id, commandId, requestedBy });
      em.assign(installation, { commandId, removalId: null, requestedBy });
      await em.flush();
      return installationOf(queries, installation.id);
    });
  }

  async listInstallations(ctx: Ctx, { instance_id, ...page }: Query<'listModuleInstallations'>) {
    return ctx.read((queries) => {
      let found = installations(queries);
      if (instance_id !== undefined) found = found.where('installation.instance_id', '=', instance_id);
      return pageOf(found, page, byId('installation.id', 'desc'));
    });
  }

  async getInstallation(ctx: Ctx, id: string): Promise<ModuleInstallationRow> {
    return ctx.read((queries) => installationOf(queries, id));
  }

  async uninstall(ctx: Ctx, id: string): Promise<ModuleInstallationRow> {
    return ctx.transact(async (em, queries) => {
      const { instance_id, plugin } = await installationOf(queries, id);
      const { id: removalId } = await this.#commands.create(ctx, instance_id, {
        verb: 'uninstall_plugin',
        args: { plugin, by: nameOf(ctx) },
      });
      const { status: known } = await refuseUnderWay(queries, id);
      if (known === 'removed')
        throw new DomainError('module_removed', 'The module is already uninstalled from this instance.');
      await remove(em, id, removalId);
      return installationOf(queries, id);
    });
  }
}

/** The recurring price; undefined for a module that is paid once. */
function offerOf(
  { billingPeriod, price, yearlyPrice }: Module,
  period: Schemas['ModulePurchaseCreate']['period'],
): Offer | undefined {
  if (period === undefined || period === billingPeriod)
    return billingPeriod === 'once' ? undefined : { amount: price, period: billingPeriod };
  if (period === 'year' && typeof yearlyPrice === 'number') return { amount: yearlyPrice, period };
  throw invalidField({ in: 'body', pointer: '/period', detail: 'is not offered for this module' });
}

async function buyOnce(
  em: EntityManager,
  { id: moduleId, price: amount, currency }: Module,
  purchasedBy: string,
): Promise<ModulePurchase> {
  const purchase = em.create(ModulePurchase, { moduleId, amount, currency, purchasedBy });
  await em.flush();
  return purchase;
}

async function owns(queries: Queries, moduleId: string): Promise<boolean> {
  const { owned } = await queries
    .selectFrom('module')
    .select(isOwned.as('owned'))
    .where('module.id', '=', moduleId)
    .executeTakeFirstOrThrow();
  return owned;
}

const nameOf = ({ actor }: Ctx) => (actor?.label ?? 'nobody').slice(0, maxLabelLength);

async function remove(em: EntityManager, id: string, removalId: string): Promise<void> {
  await em.nativeUpdate(ModuleInstallation, { id }, { removalId });
}

/** Refuses to change an installation while the agent is working on it. */
async function refuseUnderWay(queries: Queries, id: string): Promise<ModuleInstallationRow> {
  const installation = await installationOf(queries, id);
  const { status, is_being_removed } = installation;
  if (status === 'pending' || status === 'downloading' || is_being_removed)
    throw new DomainError(
      'installation_under_way',
      'A command for this installation is still in progress; try again once it has finished.',
    );
  return installation;
}

async function ownedModule(queries: Queries, slug: string) {
  const module = await queries
    .selectFrom('module')
    .select([
      'module.id',
      'module.name',
      'module.plugin',
      'module.plugin_url',
      'module.plugin_sha256',
      'module.plugin_bytes',
      isOwned.as('is_owned'),
    ])
    .where('module.slug', '=', slug)
    .where((eb) => eb.or([eb('module.is_listed', '=', true), isOwned]))
    .executeTakeFirst();
  if (module === undefined) throw notFound('module');
  if (!module.is_owned)
    throw new DomainError('module_not_owned', `Buy ${module.name} before you install it.`);
  return module;
}

function purchases(queries: Queries) {
  return queries
    .selectFrom('module_purchase as purchase')
    .innerJoin('module', 'module.id', 'purchase.module_id')
    .select([
      'purchase.id',
      'module.slug',
      'module.name',
      'purchase.amount',
      'purchase.currency',
      'purchase.purchased_by',
      'purchase.subscription_id',
      'purchase.period_start',
      'purchase.period_end',
      'purchase.created_at',
    ]);
}

async function purchaseOf(queries: Queries, id: string) {
  return purchases(queries).where('purchase.id', '=', id).executeTakeFirstOrThrow();
}

/** A plugin that no longer exists on the host counts as removed. */
const status = sql<Status>`case
  when removal.status = 'succeeded' or removal.error_code = 'plugin_not_found' then 'removed'
  when bringing.status = 'succeeded' then 'installed'
  when bringing.status = 'acknowledged' then 'downloading'
  when bringing.status in ('queued', 'sent') then 'pending'
  else 'failed' end`;

function installations(queries: Queries) {
  return queries
    .selectFrom('module_installation as installation')
    .innerJoin('module', 'module.id', 'installation.module_id')
    .innerJoin('command as bringing', 'bringing.id', 'installation.command_id')
    .leftJoin('command as removal', 'removal.id', 'installation.removal_id')
    .innerJoin('command as last', (join) =>
      join.on('last.id', '=', sql`coalesce(installation.removal_id, installation.command_id)`),
    )
    .select([
      'installation.id',
      'installation.instance_id',
      'installation.requested_by',
      'installation.created_at',
      'module.slug',
      'module.plugin',
      'last.id as command_id',
      'last.detail',
      'last.error_code',
      'last.finished_at',
      status.as('status'),
      sql<boolean>`coalesce(removal.finished_at is null and removal.id is not null, false)`.as(
        'is_being_removed',
      ),
    ]);
}

async function installationOf(queries: Queries, id: string) {
  const installation = await installations(queries).where('installation.id', '=', id).executeTakeFirst();
  if (installation === undefined) throw notFound('installation');
  return installation;
}

/** A path is relative to the platform's public URL, which is unknown when the catalogue is written. */
export function downloadUrlOf({ plugin_url: url }: { plugin_url: string }, publicUrl: string): string {
  return url.startsWith('/') ? `${publicUrl}${url}` : url;
}
