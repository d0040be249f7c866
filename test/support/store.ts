// Stores that are open, and their buyers.
import { randomInt } from 'node:crypto';
import type { components } from '../../generated/platform.d.ts';
import { createInstance } from './rows.ts';
import type { Tenant, World } from './world.ts';

type Schemas = components['schemas'];

export const storeInput = (
  values: Partial<Schemas['StoreSettingsReplace']> = {},
): Schemas['StoreSettingsReplace'] => ({
  name: 'Rusty Islands',
  currency: 'USD',
  theme: { accent: '#d9481f', background: '#101418', text: '#f5f7fa' },
  terms: null,
  provider: 'sandbox',
  is_enabled: true,
  ...values,
});

let number = 0;

export const itemInput = (
  values: Partial<Schemas['StoreItemReplace']> = {},
): Schemas['StoreItemReplace'] => ({
  name: `Item ${++number}`,
  description: null,
  image_url: null,
  category_id: null,
  position: 0,
  price: '9.99',
  is_enabled: true,
  limit_per_player: null,
  limit_total: null,
  required_item_ids: [],
  instance_ids: [],
  delivery_commands: ['oxide.usergroup add {steam_id} vip'],
  revoke_commands: [],
  needs_online_player: false,
  repeats_after_wipe: false,
  delivery_days: 30,
  ...values,
});

/** A player. */
export const someSteamId = (): string => String(76561197960265729n + BigInt(randomInt(2 ** 31)));

/** A license with an open store; payments move no money, unless the settings select a provider. */
export async function openStore(
  world: World,
  tenant: Tenant,
  values: Partial<Schemas['StoreSettingsReplace']> = {},
): Promise<void> {
  await world.call('post', '/api/webstore/subscription/create', tenant.owner).expect(201);
  await subscriptionIs(world, tenant, 'active');
  await world.call('put', '/api/webstore/config', tenant.owner).send(storeInput(values)).expect(200);
}

/** Sets the status of the subscription, confirmed by default. */
export async function subscriptionIs(
  world: World,
  tenant: Tenant,
  status: Schemas['SubscriptionStatus'],
): Promise<void> {
  await world.call('post', '/api/webstore/subscription/sandbox', tenant.owner).send({ status }).expect(200);
}

/** An item that is for sale, on an instance of its own by default. */
export async function sell(
  world: World,
  tenant: Tenant,
  values: Partial<Schemas['StoreItemReplace']> = {},
): Promise<Schemas['StoreItem']> {
  const instance_ids = values.instance_ids ?? [await createInstance(world, tenant)];
  const { body } = await world
    .call('post', '/api/webstore/items', tenant.owner)
    .send(itemInput({ ...values, instance_ids }))
    .expect(201);
  return body as Schemas['StoreItem'];
}

/** The prefix of public URLs of the license's store. */
export const storePath = ({ license }: Tenant): string => `/api/public-store/${license.subdomain}`;

export const buying = (
  world: World,
  tenant: Tenant,
  items: Schemas['PublicOrderLineCreate'][],
  buyer: Partial<Schemas['PublicOrderCreate']> = {},
) => world.call('post', `${storePath(tenant)}/purchase`).send({ steam_id: someSteamId(), items, ...buyer });

/** The same from that address, for platforms behind one proxy. */
export const buyingFrom = (address: string, ...[world, tenant, items, buyer]: Parameters<typeof buying>) =>
  buying(world, tenant, items, buyer).set('X-Forwarded-For', address);

/** An order that waits for payment. */
export async function order(
  world: World,
  tenant: Tenant,
  items: Schemas['PublicOrderLineCreate'][],
  buyer: Partial<Schemas['PublicOrderCreate']> = {},
): Promise<Schemas['PublicOrder']> {
  const { body } = await buying(world, tenant, items, buyer).expect(201);
  return body as Schemas['PublicOrder'];
}

/** Reports the outcome of the payment. */
export async function settle(
  world: World,
  tenant: Tenant,
  orderId: string,
  outcome: Schemas['PaymentSimulation']['outcome'] = 'paid',
): Promise<Schemas['PublicOrder']> {
  const { body } = await world
    .call('post', `${storePath(tenant)}/orders/${orderId}/sandbox`)
    .send({ outcome })
    .expect(200);
  return body as Schemas['PublicOrder'];
}

export async function transactionOf(
  world: World,
  tenant: Tenant,
  id: string,
): Promise<Schemas['StoreOrderDetail']> {
  const { body } = await world.call('get', `/api/webstore/transactions/${id}`, tenant.owner).expect(200);
  return body as Schemas['StoreOrderDetail'];
}

export async function deliveriesOf(
  world: World,
  tenant: Tenant,
  transactionId: string,
): Promise<Schemas['StoreDelivery'][]> {
  const { body } = await world
    .call('get', `/api/webstore/deliveries?limit=100&transaction_id=${transactionId}`, tenant.owner)
    .expect(200);
  return (body as { data: Schemas['StoreDelivery'][] }).data;
}
