// Simulates events of a sandbox on request: of players, servers and the host, and orders in its store.
import type { Ctx } from '../../context.ts';
import { holdLock } from '../../database/advisory-locks.ts';
import type { Queries } from '../../database/reader.ts';
import { DomainError, notFound } from '../../errors.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { beSilent, crash } from '../../sandbox/disturbances.ts';
import { chat, join, leave, steamIdOf } from '../../sandbox/players.ts';
import type { SimulatedAgents } from '../../sandbox/simulated-agents.ts';
import type { SimulatedHost, SimulatedServer } from '../../sandbox/state.ts';
import type { StoredHosts } from '../../sandbox/stored-hosts.ts';
import type { Purchases, PurchaseRow } from '../store/checkout/index.ts';
import type { StoreItems } from '../store/catalogue/index.ts';
import { defaultTheme, type StoreSettings } from '../store/settings/index.ts';
import type { StoreSubscriptions } from '../store/settings/subscriptions.ts';
import { sandboxOf } from './index.ts';

type Event = Schemas['SandboxEvent'];
type Simulated = Exclude<Event, { kind: 'order' }>;
type Order = Extract<Event, { kind: 'order' }>;
type Player = Schemas['SandboxPlayer'];

export interface SimulatedEvent {
  kind: Event['kind'];
  at: Date;
  player: Player | null;
  purchase: PurchaseRow | null;
  silentUntil: Date | null;
}

export interface SandboxEventParts {
  agents: Pick<SimulatedAgents, 'act'>;
  hosts: Pick<StoredHosts, 'hostOf'>;
  purchases: Pick<Purchases, 'create' | 'simulatePayment'>;
  storeItems: Pick<StoreItems, 'create'>;
  storeSettings: Pick<StoreSettings, 'get' | 'replace'>;
  storeSubscriptions: Pick<StoreSubscriptions, 'create' | 'simulateStatus'>;
}

export class SandboxEvents {
  readonly #parts: SandboxEventParts;

  constructor(parts: SandboxEventParts) {
    this.#parts = parts;
  }

  async simulate(ctx: Ctx, event: Event): Promise<SimulatedEvent> {
    const { subdomain, now } = await ctx.read((queries) => sandboxOf(queries, ctx.licenseId));
    const hostId = await this.#parts.hosts.hostOf(ctx.licenseId);
    if (hostId === undefined) throw notFound('host');
    if (event.kind === 'order') return this.#order(ctx, { hostId, subdomain, now }, event);
    const simulated = await this.#parts.agents.act(hostId, (host, nowMs) => happen(host, nowMs, event));
    if (simulated === undefined) throw notFound('host');
    return simulated;
  }

  async #order(
    ctx: Ctx,
    { hostId, subdomain, now }: { hostId: string; subdomain: string; now: Date },
    { payment = 'paid', ...order }: Order,
  ): Promise<SimulatedEvent> {
    const { item_name: name, quantity = 1 } = order;
    const itemId = await this.#itemToOrder(ctx, hostId, name);
    if (!(await this.#parts.storeSettings.get(ctx)).is_open) throw storeClosed();
    const player = await this.#buyer(hostId, order);
    let purchase = await this.#parts.purchases.create(ctx, subdomain, {
      steam_id: player.steam_id,
      player_name: player.display_name,
      items: [{ item_id: itemId, quantity }],
    });
    if (payment !== 'none')
      purchase = await this.#parts.purchases.simulatePayment(subdomain, purchase.id, { outcome: payment });
    return { kind: 'order', at: now, player, purchase, silentUntil: null };
  }

  /** The given player, or one who is online, or one who is not. */
  async #buyer(hostId: string, { steam_id, display_name = 'Ash' }: Order): Promise<Player> {
    if (steam_id !== undefined) return { steam_id, display_name };
    const online = await this.#parts.agents.act(hostId, ({ servers }) => servers['main']?.players[0]);
    return online === undefined
      ? { steam_id: steamIdOf(0), display_name }
      : { steam_id: online.steamId, display_name: online.name };
  }

  /**
   * The named item, or the oldest one for sale. A sandbox without a store gets one, and an item if it has none for
   * sale; concurrent requests get the same.
   */
  async #itemToOrder(ctx: Ctx, hostId: string, name: string | undefined): Promise<string> {
    return ctx.transact(async (em, queries) => {
      await holdLock(em, `store of sandbox ${ctx.licenseId}`);
      const id = name === undefined ? await oldestForSale(queries) : await itemNamed(queries, name);
      await this.#openStore(ctx, queries);
      return id ?? (await this.#createItem(ctx, queries, hostId));
    });
  }

  async #createItem(ctx: Ctx, queries: Queries, hostId: string): Promise<string> {
    const instance = await queries
      .selectFrom('game_instance')
      .select('id')
      .where('host_id', '=', hostId)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (instance === undefined) throw notFound('instance');
    const { id } = await this.#parts.storeItems.create(ctx, { ...firstItem, instance_ids: [instance.id] });
    return id;
  }

  /** Opens a store where there has been none. One that was closed stays closed. */
  async #openStore(ctx: Ctx, queries: Queries): Promise<void> {
    const { storeSettings, storeSubscriptions } = this.#parts;
    const { version } = await storeSettings.get(ctx);
    if (version > 0) return;
    const subscription = await queries
      .selectFrom('subscription')
      .select('id')
      .where('kind', '=', 'webstore')
      .where('status', 'in', ['trialing', 'active', 'past_due'])
      .limit(1)
      .executeTakeFirst();
    if (subscription === undefined) await storeSubscriptions.create(ctx);
    await storeSubscriptions.simulateStatus(ctx, { status: 'active' });
    await storeSettings.replace(ctx, [version], {
      name: 'Sandbox store',
      currency: 'USD',
      theme: defaultTheme,
      terms: null,
      provider: 'sandbox',
      is_enabled: true,
    });
  }
}

async function oldestForSale(queries: Queries): Promise<string | undefined> {
  const item = await queries
    .selectFrom('store_item')
    .select('id')
    .where('is_enabled', '=', true)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return item?.id;
}

async function itemNamed(queries: Queries, name: string): Promise<string> {
  const item = await queries
    .selectFrom('store_item')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirst();
  if (item === undefined) throw notFound('item');
  return item.id;
}

/** Buyers see that there is no such store; the developer who closed it sees how to open it. */
const storeClosed = () =>
  new DomainError(
    'not_found',
    'The store is closed. Enable it with PUT /api/webstore/config, and its subscription with POST /api/webstore/subscription/sandbox.',
  );

const firstItem: Omit<Schemas['StoreItemReplace'], 'instance_ids'> = {
  name: 'VIP',
  description: null,
  image_url: null,
  category_id: null,
  position: 0,
  price: '9.99',
  is_enabled: true,
  limit_per_player: null,
  limit_total: null,
  required_item_ids: [],
  delivery_commands: ['oxide.usergroup add {steam_id} vip'],
  revoke_commands: ['oxide.usergroup remove {steam_id} vip'],
  needs_online_player: false,
  repeats_after_wipe: false,
  delivery_days: 30,
};

/** Applies the event to the simulation, which stays unchanged if this throws. */
function happen(host: SimulatedHost, nowMs: number, event: Simulated): SimulatedEvent {
  const result: SimulatedEvent = {
    kind: event.kind,
    at: new Date(nowMs),
    player: null,
    purchase: null,
    silentUntil: null,
  };
  if (event.kind === 'silence') {
    const untilMs = nowMs + event.seconds * 1_000;
    beSilent(host, untilMs);
    return { ...result, silentUntil: new Date(untilMs) };
  }
  const server = host.servers[event.instance];
  if (server === undefined) throw notFound('instance');
  if (event.kind === 'crash') {
    if (!crash(host, event.instance, nowMs)) throw notRunning(event.instance, server);
    return result;
  }
  if (server.state !== 'running') throw notRunning(event.instance, server);
  const player = playerOf(host, server, nowMs, event);
  if (player === undefined) throw notFound('player');
  return { ...result, player: { steam_id: player.steamId, display_name: player.name } };
}

function playerOf(
  host: SimulatedHost,
  server: SimulatedServer,
  nowMs: number,
  event: Exclude<Simulated, { kind: 'silence' | 'crash' }>,
) {
  if (event.kind === 'leave') return leave(host, event.instance, nowMs, event.steam_id);
  if (event.kind === 'chat')
    return chat(host, event.instance, nowMs, { steamId: event.steam_id, text: event.text });
  const { steam_id: steamId, display_name: name } = event;
  if (server.players.length >= server.maxPlayers)
    throw new DomainError('simulation_refused', `The server has ${server.maxPlayers} players and is full.`);
  if (steamId !== undefined && server.bans.includes(steamId))
    throw new DomainError('simulation_refused', 'The player is banned on this server.');
  const joined = join(host, event.instance, nowMs, { steamId, name });
  if (joined === undefined)
    throw new DomainError('simulation_refused', 'All simulated players are online or banned.');
  return joined;
}

const notRunning = (name: string, { state }: SimulatedServer) =>
  new DomainError('instance_not_running', `The server "${name}" is ${state}.`);
