// Resellers of licenses: created and changed by super admins, and their monthly bills.
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Query, Schemas } from '../platform-contract/types.ts';
import type { EntityManager } from '../database/connection.ts';
import { refusing } from '../database/faults.ts';
import type { Queries } from '../database/reader.ts';
import { Reseller, ResellerRate } from '../entities/index.ts';
import { DomainError, invalidField, notFound } from '../errors.ts';
import type { AccessRequirement, LastingAccess } from './auth/access-recheck.ts';
import { containing } from '../lists/filters.ts';
import { hundredthsOf } from '../payments/money.ts';
import { byId, everyRow, pageOf, refuseMoreThan, type Page, type PageQuery } from '../lists/page.ts';
import { monthAfter, type BillingUnit } from './resellers/bill-arithmetic.ts';
import { billOf, rateOf, type Bill } from './resellers/bills.ts';
import { createResellerKey, hashSecret } from '../secrets/random-secrets.ts';
import type { Administration } from './auth/administration.ts';

const defaultRate = { amount: '6.00', currency: 'USD' };
const defaultUnit: BillingUnit = 'instance';

/** Maximum bills per export. */
const maxExported = 100_000;
const forPlatform: AccessRequirement = { scheme: 'superAdmin', permissions: [] };

export type RecordedBillRow = Awaited<ReturnType<ReturnType<typeof recordedBillsOf>['execute']>>[number];
export type RecordedBills = Page<RecordedBillRow> | AsyncIterable<RecordedBillRow>;

export type ResellerRow = Awaited<ReturnType<typeof resellerOf>>;

export interface KeyedReseller {
  row: ResellerRow;
  /** The key in plain text; it cannot be retrieved again. */
  key: string;
}

export class AdminResellers {
  readonly #administration: Administration;
  readonly #access: LastingAccess;

  constructor(administration: Administration, access: LastingAccess) {
    this.#administration = administration;
    this.#access = access;
  }

  async list(ctx: Ctx, { status, q, ...page }: Query<'listResellers'>) {
    return this.#administration.read(ctx, (queries) => {
      let resellers = resellersOf(queries);
      if (status !== undefined) resellers = resellers.where('reseller.status', '=', status);
      if (q !== undefined) resellers = resellers.where('reseller.name', 'ilike', containing(q));
      return pageOf(resellers, page, byId('reseller.id', 'desc'));
    });
  }

  async get(ctx: Ctx, id: string): Promise<ResellerRow> {
    return this.#administration.read(ctx, (queries) => resellerOf(queries, id));
  }

  /** The first rate applies from the current month. */
  async create(
    ctx: Ctx,
    { name, wholesale_rate: rate = defaultRate, billing_unit: unit = defaultUnit }: Schemas['ResellerCreate'],
  ): Promise<KeyedReseller> {
    const { identifier, key } = createResellerKey();
    return this.#administration.transact(ctx, async (em, queries) => {
      const reseller = em.create(Reseller, { name, keyIdentifier: identifier, keyHash: hashSecret(key) });
      await flushNamed(em, name);
      addRate(em, reseller.id, { ...hundredthsOfRate(rate), unit }, 0);
      await em.flush();
      return { row: await resellerOf(queries, reseller.id), key };
    });
  }

  /** A new rate or unit applies from the next month. */
  async update(ctx: Ctx, id: string, changes: Schemas['ResellerUpdate']): Promise<ResellerRow> {
    const { name, status, wholesale_rate: rate, billing_unit: unit } = changes;
    return this.#administration.transact(ctx, async (em, queries) => {
      const reseller = await foundReseller(em, id);
      reseller.name = name ?? reseller.name;
      reseller.status = status ?? reseller.status;
      await flushNamed(em, reseller.name);
      if (rate !== undefined || unit !== undefined) {
        const next = await rateOf(queries, id, monthAfter(new Date(), 1));
        addRate(
          em,
          id,
          { ...next, ...(rate !== undefined && hundredthsOfRate(rate)), ...(unit !== undefined && { unit }) },
          1,
        );
      }
      await em.flush();
      return resellerOf(queries, id);
    });
  }

  /** Returns a page of recorded bills, or every matching bill. */
  async listBills(
    ctx: Ctx,
    query: Query<'listResellerBills'>,
    extent: 'page' | 'everything',
  ): Promise<RecordedBills> {
    const readPage = (page: PageQuery) =>
      this.#administration.read(ctx, (queries) =>
        pageOf(recordedBillsOf(queries, query), page, newestBillFirst),
      );
    if (extent === 'page') return readPage(query);
    await this.#administration.read(ctx, (queries) =>
      refuseMoreThan(maxExported, recordedBillsOf(queries, query), query.cursor, newestBillFirst),
    );
    const readOn = async (page: PageQuery) => {
      await this.#access.refuseEnded(ctx, forPlatform);
      return readPage(page);
    };
    return everyRow(readOn, query.cursor, maxExported);
  }

  /** The bill that the reseller itself sees for the month. */
  async bill(ctx: Ctx, id: string, month: string): Promise<Bill> {
    const now = new Date();
    if (month > monthAfter(now, 0))
      throw invalidField({ in: 'path', pointer: '/month', detail: 'must not be in the future' });
    return this.#administration.read(ctx, async (queries) => {
      await resellerOf(queries, id);
      return billOf(queries, id, month, now);
    });
  }

  async replaceKey(ctx: Ctx, id: string): Promise<KeyedReseller> {
    const { identifier, key } = createResellerKey();
    return this.#administration.transact(ctx, async (em, queries) => {
      const reseller = await foundReseller(em, id);
      em.assign(reseller, { keyIdentifier: identifier, keyHash: hashSecret(key) });
      await em.flush();
      return { row: await resellerOf(queries, id), key };
    });
  }
}

async function foundReseller(em: EntityManager, id: string): Promise<Reseller> {
  const reseller = await em.findOne(Reseller, id);
  if (reseller === null) throw notFound('reseller');
  return reseller;
}

function addRate(
  em: EntityManager,
  resellerId: string,
  rate: { amount: number; currency: string; unit: BillingUnit },
  monthsFromNow: number,
): void {
  const { amount, currency, unit } = rate;
  em.create(ResellerRate, {
    resellerId,
    fromMonth: monthAfter(new Date(), monthsFromNow),
    amount,
    currency,
    unit,
  });
}

const hundredthsOfRate = ({ amount, currency }: Schemas['WholesaleRate']) => ({
  amount: hundredthsOf(amount),
  currency,
});

function flushNamed(em: EntityManager, name: string): Promise<void> {
  const taken = () => new DomainError('name_taken', `A reseller named ${name} already exists.`);
  return refusing({ reseller_name_key: taken }, () => em.flush());
}

const newestBillFirst = byId<{ id: string }>('bill.id', 'desc');

function recordedBillsOf(queries: Queries, { reseller_id, month }: Query<'listResellerBills'>) {
  let bills = queries
    .selectFrom('reseller_bill as bill')
    .innerJoin('reseller', 'reseller.id', 'bill.reseller_id')
    .select([
      'bill.id',
      'bill.month',
      'bill.reseller_id',
      'reseller.name as reseller_name',
      'bill.license_count',
      'bill.active_days',
      'bill.instance_count',
      'bill.instance_days',
      sql<number>`coalesce(bill.charged_days, bill.active_days)`.as('charged_days'),
      'bill.unit',
      'bill.total',
      'bill.currency',
      'bill.recorded_at',
    ]);
  if (reseller_id !== undefined) bills = bills.where('bill.reseller_id', '=', reseller_id);
  if (month !== undefined) bills = bills.where('bill.month', '=', month);
  return bills;
}

/** The rate that applies `months` after the current month. */
const rateFrom = (months: number) => sql<Schemas['WholesaleRate']>`(
  select json_build_object('amount', to_char(amount / 100.0, 'FM9999990.00'), 'currency', currency) from reseller_rate
  where reseller_id = reseller.id and from_month <= ${monthAfter(new Date(), months)}
  order by from_month desc, id desc limit 1)`;

const unitFrom = (months: number) => sql<BillingUnit>`(
  select unit from reseller_rate
  where reseller_id = reseller.id and from_month <= ${monthAfter(new Date(), months)}
  order by from_month desc, id desc limit 1)`;

function resellersOf(queries: Queries) {
  return queries
    .selectFrom('reseller')
    .select((eb) => [
      'reseller.id',
      'reseller.name',
      'reseller.status',
      'reseller.key_identifier',
      'reseller.created_at',
      rateFrom(0).as('wholesale_rate'),
      rateFrom(1).as('next_wholesale_rate'),
      unitFrom(0).as('billing_unit'),
      unitFrom(1).as('next_billing_unit'),
      eb
        .selectFrom('reseller_license as sold')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('sold.reseller_id', '=', 'reseller.id')
        .as('license_count'),
    ]);
}

async function resellerOf(queries: Queries, id: string) {
  const reseller = await resellersOf(queries).where('reseller.id', '=', id).executeTakeFirst();
  if (reseller === undefined) throw notFound('reseller');
  return reseller;
}
