// Turns a requested basket into order lines at the store's prices, unless a limit or an item's rule forbids it.
import { sql, type RawBuilder } from 'kysely';
import type { Schemas } from '../../../platform-contract/types.ts';
import type { EntityManager } from '../../../database/connection.ts';
import type { Queries } from '../../../database/reader.ts';
import type { StoreOrderLine } from '../../../entities/index.ts';
import { DomainError } from '../../../errors.ts';
import { counting, ownsUnits } from '../catalogue/counted-orders.ts';

type Wanted = Schemas['PublicOrderLineCreate'];

export type NewLine = Omit<InstanceType<typeof StoreOrderLine>, 'id' | 'licenseId' | 'orderId'>;

/** The buyer as far as known: the player, and the network of the request. */
interface Buyer {
  steamId: string;
  sourceHash: string;
}

/** Maximum total of one order in the smallest currency unit, which is the providers' maximum. */
export const maxMinor = 99_999_999;
/** Maximum units of one item in an order. */
export const maxUnits = 100;
/** Maximum deliveries of one order. */
export const maxDeliveries = 1_000;

interface OnSale {
  id: string;
  name: string;
  price_minor: number;
  currency: Schemas['StoreCurrency'];
  is_enabled: boolean;
  limit_per_player: number | null;
  limit_total: number | null;
  delivery_commands: string[];
  revoke_commands: string[];
  needs_online_player: boolean;
  repeats_after_wipe: boolean;
  delivery_days: number;
  required_item_ids: string[];
  instance_ids: string[];
}

/** Locks the items: concurrent orders of the same items wait, and count the units of this one. */
export async function linesFor(
  em: EntityManager,
  queries: Queries,
  { steamId, sourceHash, currency, wanted }: Buyer & { currency: string; wanted: readonly Wanted[] },
): Promise<NewLine[]> {
  const quantities = new Map<string, number>();
  for (const { item_id: id, quantity } of wanted) quantities.set(id, (quantities.get(id) ?? 0) + quantity);
  const items = await lockedItems(em, [...quantities.keys()]);
  const isSold = ({ is_enabled, currency: own, instance_ids }: OnSale) =>
    is_enabled && own === currency && instance_ids.length > 0;
  if (items.length < quantities.size || !items.every(isSold))
    throw new DomainError('not_for_sale', 'An item of this order is no longer for sale; remove it.');
  const units = items.map((item) => ({ item, quantity: quantities.get(item.id) ?? 0 }));
  refuseLarge(units);
  await refuseBeyondLimits(queries, { steamId, sourceHash }, units);
  await refuseWithoutRequired(queries, steamId, items);
  return units.map(({ item, quantity }) => ({
    itemId: item.id,
    itemName: item.name,
    unitMinor: item.price_minor,
    quantity,
    instanceIds: item.instance_ids,
    deliveryCommands: item.delivery_commands,
    revokeCommands: item.revoke_commands,
    needsOnlinePlayer: item.needs_online_player,
    repeatsAfterWipe: item.repeats_after_wipe,
    deliveryDays: item.delivery_days,
  }));
}

/** Locks in a fixed order, so that two baskets never deadlock. */
async function lockedItems(em: EntityManager, ids: string[]): Promise<OnSale[]> {
  const items = await em.execute<(Omit<OnSale, 'price_minor'> & { price_minor: string | number })[]>(
    `select item.*,
       array(select required_item_id::text from store_item_requirement as need where need.item_id = item.id) as required_item_ids,
       array(select instance_id::text from store_item_instance as target where target.item_id = item.id) as instance_ids
     from store_item as item where item.id = any(?::uuid[]) order by item.id for no key update of item`,
    [`{${ids.join(',')}}`],
  );
  return items.map((item) => ({ ...item, price_minor: Number(item.price_minor) }));
}

interface Units {
  item: OnSale;
  quantity: number;
}

function refuseLarge(units: readonly Units[]): void {
  const total = units.reduce((sum, { item, quantity }) => sum + item.price_minor * quantity, 0);
  const deliveries = units.reduce((sum, { item, quantity }) => sum + item.instance_ids.length * quantity, 0);
  if (total > maxMinor || deliveries > maxDeliveries || units.some(({ quantity }) => quantity > maxUnits))
    throw new DomainError('limit_reached', 'The order is too large; split it into several orders.');
}

async function refuseBeyondLimits(
  queries: Queries,
  { steamId, sourceHash }: Buyer,
  units: readonly Units[],
): Promise<void> {
  const ids = units.map(({ item }) => item.id);
  const isBuyers = sql`bought.steam_id = ${steamId}`;
  const unitsWhere = (condition: RawBuilder<unknown>) =>
    sql`coalesce(sum(line.quantity) filter (where ${condition}), 0)::int`;
  const isPaid = ownsUnits('bought');
  const { rows } = await sql<TakenUnits & { item_id: string; own: number }>`
    select line.item_id, ${unitsWhere(isBuyers)} as own, ${unitsWhere(isPaid)} as sold,
      ${unitsWhere(sql`not ${isPaid}`)} as held,
      ${unitsWhere(sql`not ${isPaid} and ${isBuyers}`)} as "heldByBuyer",
      ${unitsWhere(sql`not ${isPaid} and (${isBuyers} or bought.source_hash = ${sourceHash})`)} as "heldBySource"
    from store_order_line as line
    join store_order as bought on bought.license_id = line.license_id and bought.id = line.order_id
    where line.item_id = any(${ids}::uuid[]) and ${counting('bought')} group by line.item_id`.execute(
    queries,
  );
  const taken = new Map(rows.map((row) => [row.item_id, row]));
  for (const { item, quantity } of units) {
    const { own = 0, ...held } = taken.get(item.id) ?? {};
    if (item.limit_per_player !== null && own + quantity > item.limit_per_player)
      throw new DomainError(
        'purchase_limit',
        `A player can have at most ${item.limit_per_player} of ${item.name}, including unpaid orders.`,
      );
    refuseBeyondStock(item, quantity, { ...noUnits, ...held });
  }
}

const noUnits: TakenUnits = { sold: 0, held: 0, heldByBuyer: 0, heldBySource: 0 };

function refuseBeyondStock(item: OnSale, quantity: number, taken: TakenUnits): void {
  const { name, limit_total: limit, limit_per_player } = item;
  if (limit === null) return;
  const { sold, held, heldByBuyer, heldBySource } = taken;
  if (sold + held + quantity > limit)
    throw new DomainError('purchase_limit', `The remaining stock of ${name} is too small; order fewer.`);
  const { buyer, source } = maxHolds({ limit_total: limit, limit_per_player }, sold);
  if (heldByBuyer + quantity > buyer)
    throw new DomainError(
      'purchase_limit',
      `Unpaid orders of one player can reserve at most ${buyer} of ${name}; pay for them before you order more.`,
    );
  if (heldBySource + quantity > source)
    throw new DomainError(
      'purchase_limit',
      `Unpaid orders from one network can reserve at most ${source} of ${name}; try again once they are paid or expired.`,
    );
}

async function refuseWithoutRequired(
  queries: Queries,
  steamId: string,
  items: readonly OnSale[],
): Promise<void> {
  const inBasket = new Set(items.map(({ id }) => id));
  const needed = items.flatMap(({ required_item_ids: ids, name }) =>
    ids.filter((id) => !inBasket.has(id)).map((id) => ({ id, name })),
  );
  if (needed.length === 0) return;
  const { rows } = await sql<{ item_id: string }>`
    select distinct line.item_id from store_order_line as line
    join store_order as bought on bought.license_id = line.license_id and bought.id = line.order_id
    where line.item_id = any(${needed.map(({ id }) => id)}::uuid[]) and bought.steam_id = ${steamId}
      and bought.status in ('paid', 'partially_refunded')`.execute(queries);
  const owned = new Set(rows.map(({ item_id }) => item_id));
  const missing = needed.find(({ id }) => !owned.has(id));
  if (missing !== undefined)
    throw new DomainError('item_required', `${missing.name} requires another item; buy that item first.`);
}

interface Stock {
  limit_total: number;
  limit_per_player: number | null;
}

/** Units of an item that orders have sold or hold. */
interface TakenUnits {
  sold: number;
  held: number;
  /** Held for the same player. */
  heldByBuyer: number;
  /** Held for the same player or from the same network. */
  heldBySource: number;
}

/** Fractions of the unsold units, rounded up, that unpaid orders may hold: no buyer blocks an item without paying. */
const shares = { buyer: 1 / 4, source: 1 / 2 };

/** The per-player limit is the owner's decision on how many one player may take at once: no share is smaller. */
function maxHolds({ limit_total, limit_per_player }: Stock, sold: number) {
  const unsold = Math.max(limit_total - sold, 0);
  const shareOf = (share: number) =>
    Math.min(unsold, Math.max(Math.ceil(unsold * share), limit_per_player ?? 0));
  return { buyer: shareOf(shares.buyer), source: shareOf(shares.source) };
}
