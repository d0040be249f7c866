// Operations of the area `webstore-orders`.
import type { components } from '../../generated/platform.d.ts';
import { connectAcceptingAgent, type TestAgent } from '../support/agent.ts';
import { createWipe } from '../support/rows.ts';
import {
  deliveriesOf,
  openStore,
  order,
  sell,
  settle,
  someSteamId,
  storePath,
  transactionOf,
} from '../support/store.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({
    jobIntervals: {
      chores: { 'send deliveries': 50, 'find players of deliveries': 50, 'give up deliveries': 100 },
    },
  });
  tenant = await world.createTenant();
  await openStore(world, tenant);
});

afterAll(async () => {
  await world.close();
});

const list = async (query: string) =>
  (
    (await world.call('get', `/api/webstore/transactions?${query}`, tenant.owner).expect(200)).body as {
      data: Schemas['StoreOrder'][];
    }
  ).data;

describe('transactions', () => {
  it('are listed by status, player and item, with their payment events', async () => {
    const item = await sell(world, tenant);
    const steam_id = someSteamId();
    const { id } = await order(world, tenant, [{ item_id: item.id, quantity: 2 }], { steam_id });
    await settle(world, tenant, id);
    const [transaction, ...others] = await list(`steam_id=${steam_id}&status=paid&item_id=${item.id}`);
    expect(others).toEqual([]);
    expect(transaction).toEqual({
      id,
      status: 'paid',
      steam_id,
      player_name: null,
      provider: 'sandbox',
      is_test: true,
      total: { amount: '19.98', currency: 'USD' },
      refunded: { amount: '0.00', currency: 'USD' },
      payment_reference: `sandbox ${id}`,
      problem: null,
      lines: [
        {
          item_id: item.id,
          item_name: item.name,
          quantity: 2,
          unit_price: { amount: '9.99', currency: 'USD' },
        },
      ],
      created_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
      paid_at: expect.stringMatching(/Z$/),
    });
    expect(await list(`steam_id=${steam_id}&status=refunded`)).toEqual([]);
    expect(await list(`steam_id=${steam_id}&created_to=2020-01-01T00:00:00Z`)).toEqual([]);
    const { events } = await transactionOf(world, tenant, id);
    expect(events).toMatchObject([
      { kind: 'paid', outcome: 'applied', amount: { amount: '19.98', currency: 'USD' } },
    ]);
  });

  it('keep the purchased items when the item is changed or deleted', async () => {
    const item = await sell(world, tenant);
    const { id } = await order(world, tenant, [{ item_id: item.id, quantity: 1 }]);
    await world.call('delete', `/api/webstore/items/${item.id}`, tenant.owner).expect(204);
    await settle(world, tenant, id);
    expect((await transactionOf(world, tenant, id)).lines).toMatchObject([
      { item_id: null, item_name: item.name, unit_price: { amount: '9.99' } },
    ]);
  });

  it('are exported as CSV without formulas', async () => {
    const item = await sell(world, tenant, { name: '=HYPERLINK("http://evil.example")' });
    const steam_id = someSteamId();
    for (const player_name of ['=1+1', '+1', '-1', '@x'])
      await order(world, tenant, [{ item_id: item.id, quantity: 1 }], { steam_id, player_name });
    const { text, headers } = await world
      .call('get', `/api/webstore/transactions?steam_id=${steam_id}&format=csv`, tenant.owner)
      .expect(200);
    expect(headers['content-type']).toContain('text/csv');
    const [names, ...lines] = text.trimEnd().split('\n');
    expect(names).toBe(
      'id,created_at,paid_at,status,steam_id,player_name,items,total,refunded,currency,provider,is_test,payment_reference',
    );
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      expect(line).toMatch(/,'[=+@-]/);
      expect(line).not.toMatch(/(^|,)[=+@]/);
      expect(line).toContain(',9.99,0.00,USD,sandbox,true,');
    }
  });
});

describe('deliveries', () => {
  const path = '/api/webstore/deliveries';
  const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code;

  /** An agent with a running server, and an item that is delivered there. */
  async function shop(values: Partial<Schemas['StoreItemReplace']> = {}) {
    const { agent, instanceId } = await connectAcceptingAgent(world, tenant, { state: 'running' });
    const item = await sell(world, tenant, { instance_ids: [instanceId], ...values });
    const buy = async (buyer: Partial<Schemas['PublicOrderCreate']> = {}, quantity = 1) => {
      const { id } = await order(world, tenant, [{ item_id: item.id, quantity }], buyer);
      await settle(world, tenant, id);
      return id;
    };
    return { agent, instanceId, item, buy };
  }

  /** The command with the next delivery to the agent, after skipping that many. */
  const asked = (agent: TestAgent, skip = 0) =>
    until(() => agent.commands.filter(({ verb }) => verb === 'deliver')[skip], 'a delivery at the agent');

  const untilStatus = (orderId: string, status: Schemas['StoreDelivery']['status']) =>
    until(
      async () => (await deliveriesOf(world, tenant, orderId)).find((each) => each.status === status),
      `a delivery that is ${status}`,
    );

  const hurry = () =>
    world.database.query(
      'update store_delivery set next_attempt_at = now() where next_attempt_at is not null',
    );

  const resend = (id: string) => world.call('post', `${path}/${id}/resend`, tenant.owner);

  it('go to the agent as purchased, and end with its results', async () => {
    const { agent, item, buy } = await shop({ needs_online_player: true });
    const steam_id = someSteamId();
    const id = await buy({ steam_id, player_name: 'x"; quit' });
    const { id: commandId, instance, args } = await asked(agent);
    const [delivery] = await deliveriesOf(world, tenant, id);
    expect([instance, args]).toEqual([
      'main',
      {
        delivery_id: delivery?.id,
        commands: item.delivery_commands,
        steam_id,
        player_name: 'x"; quit',
        item_name: item.name,
        quantity: 1,
        transaction_id: id,
        needs_online_player: true,
      },
    ]);
    await agent.finish(commandId);
    expect(await untilStatus(id, 'delivered')).toMatchObject({ attempt_count: 1, command_id: commandId });
    expect(
      (await world.call('get', `${path}/${delivery?.id ?? ''}`, tenant.owner).expect(200)).body,
    ).toMatchObject({
      status: 'delivered',
    });
  });

  it.each([
    ['game_refused', 'failed'],
    ['not_supported', 'failed'],
    ['delivery_uncertain', 'uncertain'],
    ['interrupted', 'waiting'],
    ['game_unreachable', 'waiting'],
    ['player_not_found', 'waiting_for_player'],
  ] as const)('whose command failed with %s are %s', async (error_code, status) => {
    const { agent, buy } = await shop();
    const id = await buy();
    await agent.finish((await asked(agent)).id, { status: 'failed', error_code, detail: 'So it is.' });
    expect(await untilStatus(id, status)).toMatchObject({ error_code, detail: 'So it is.' });
  });

  it('are retried with the same id, at growing intervals', async () => {
    const { agent, buy } = await shop();
    const id = await buy();
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { id: commandId } = await asked(agent, attempt);
      await agent.finish(commandId, { status: 'failed', error_code: 'game_unreachable' });
      const { next_attempt_at } = await untilStatus(id, 'waiting');
      pauses.push(Date.parse(next_attempt_at ?? '') - Date.now());
      await hurry();
    }
    expect(pauses[1]).toBeGreaterThan(pauses[0] ?? 0);
    expect(pauses[2]).toBeGreaterThan(pauses[1] ?? 0);
    await asked(agent, 3);
    const ids = agent.commands.map(({ args }) => args['delivery_id']);
    expect(new Set(ids).size).toBe(1);
  });

  it('wait for their player, with one lookup for all of them', async () => {
    const { agent, instanceId, buy } = await shop();
    let players: object[] = [];
    let questions = 0;
    agent.onRequest('players', () => {
      questions += 1;
      return { v: 1, ok: true, at: new Date().toISOString(), players };
    });
    const steam_id = someSteamId();
    const ids = [await buy({ steam_id }), await buy({ steam_id }), await buy()];
    for (const index of ids.keys())
      await agent.finish((await asked(agent, index)).id, {
        status: 'failed',
        error_code: 'player_not_found',
      });
    await until(() => questions > 0, 'a request');
    players = [{ steam_id, name: 'Aster', ping_ms: 1, connected_seconds: 1 }];
    await world.database.query('update game_instance set store_asked_at = null where id = $1', [instanceId]);
    await asked(agent, 4);
    expect(questions).toBeLessThan(4);
    expect(agent.commands.slice(3).map(({ args }) => args['steam_id'])).toEqual([steam_id, steam_id]);
  });

  it('wait while the server is not running, and are abandoned at last', async () => {
    const item = await sell(world, tenant);
    const { id } = await order(world, tenant, [{ item_id: item.id, quantity: 1 }]);
    await settle(world, tenant, id);
    await hurry();
    expect(await deliveriesOf(world, tenant, id)).toMatchObject([{ status: 'waiting', attempt_count: 0 }]);
    await world.database.query('update store_delivery set expires_at = now() where order_id = $1', [id]);
    expect(await untilStatus(id, 'expired')).toMatchObject({ next_attempt_at: null });
  });

  it('that a member repeats are new deliveries, recorded in the audit log', async () => {
    const { agent, buy } = await shop();
    const id = await buy();
    const [first] = await deliveriesOf(world, tenant, id);
    expect(codeOf(await resend(first?.id ?? '').expect(409))).toBe('delivery_under_way');
    await agent.finish((await asked(agent)).id);
    await untilStatus(id, 'delivered');
    const { body } = await resend(first?.id ?? '').expect(201);
    const again = body as Schemas['StoreDelivery'];
    expect(again).toMatchObject({
      resend_of: first?.id,
      requested_by: tenant.owner.email,
      transaction_id: id,
    });
    expect((await asked(agent, 1)).args['delivery_id']).toBe(again.id);
    expect(codeOf(await resend(first?.id ?? '').expect(409))).toBe('delivery_under_way');
    const log = await world
      .call('get', `/api/audit?target_type=store_delivery&target_id=${again.id}`, tenant.owner)
      .expect(200);
    expect(log.body).toMatchObject({
      data: [{ operation: 'resendStoreDelivery', action: 'created', actor: { label: tenant.owner.email } }],
    });
  });

  it('count as one with their repetitions for the buyer, who sees which cannot be delivered', async () => {
    const { agent, buy } = await shop();
    const id = await buy({}, 2);
    const reported = async () => {
      const { body } = await world.call('get', `${storePath(tenant)}/orders/${id}`).expect(200);
      return (body as Schemas['PublicOrder']).lines[0];
    };
    const refuse = async (skip: number) => {
      const { id: commandId, args } = await asked(agent, skip);
      await agent.finish(commandId, { status: 'failed', error_code: 'game_refused' });
      await until(
        async () =>
          (await deliveriesOf(world, tenant, id)).some(
            (each) => each.id === args['delivery_id'] && each.status === 'failed',
          ),
        'the failure',
      );
      return String(args['delivery_id']);
    };
    const [first] = [await refuse(0), await refuse(1)];
    expect(await reported()).toMatchObject({ delivered_count: 0, undelivered_count: 2, delivery_count: 2 });
    await resend(first).expect(201);
    expect(await reported()).toMatchObject({ delivered_count: 0, undelivered_count: 1, delivery_count: 2 });
    await agent.finish((await asked(agent, 2)).id);
    await untilStatus(id, 'delivered');
    expect(await reported()).toMatchObject({ delivered_count: 1, undelivered_count: 1, delivery_count: 2 });
  });

  it('that were being delivered during the refund are revoked once they succeed', async () => {
    const { agent, buy } = await shop({ revoke_commands: ['take {steam_id}'] });
    const id = await buy();
    const { id: commandId } = await asked(agent);
    await settle(world, tenant, id, 'refunded');
    await agent.finish(commandId);
    const { args, id: revocation } = await asked(agent, 1);
    expect(args).toMatchObject({ commands: ['take {steam_id}'], needs_online_player: false });
    await agent.finish(revocation);
    await until(
      async () => (await deliveriesOf(world, tenant, id)).every(({ status }) => status === 'delivered'),
      'both',
    );
  });

  it('that were abandoned but succeed later are revoked', async () => {
    const { agent, buy } = await shop({ revoke_commands: ['take {steam_id}'] });
    const id = await buy();
    const { id: commandId } = await asked(agent);
    await world.database.query(`update command set status = 'expired', finished_at = now() where id = $1`, [
      commandId,
    ]);
    await world.database.query(
      `update store_delivery set status = 'waiting', next_attempt_at = now() + interval '1 hour' where order_id = $1`,
      [id],
    );
    await settle(world, tenant, id, 'refunded');
    expect(await deliveriesOf(world, tenant, id)).toMatchObject([{ status: 'cancelled' }]);
    await agent.finish(commandId);
    expect((await asked(agent, 1)).args).toMatchObject({ commands: ['take {steam_id}'] });
    expect(await untilStatus(id, 'delivered')).toMatchObject({ kind: 'delivery' });
  });

  it('that the game rejected in part are revoked too', async () => {
    const { agent, buy } = await shop({ revoke_commands: ['take {steam_id}'] });
    const id = await buy();
    await agent.finish((await asked(agent)).id, { status: 'failed', error_code: 'game_refused' });
    await untilStatus(id, 'failed');
    await settle(world, tenant, id, 'refunded');
    expect((await asked(agent, 1)).args).toMatchObject({ commands: ['take {steam_id}'] });
  });

  it('across a wipe are made once for each map', async () => {
    const { agent, instanceId, buy } = await shop({ repeats_after_wipe: true });
    const before = await buy();
    const { id: lateCommand } = await asked(agent);
    const wipe_id = await createWipe(world, tenant, { instance_id: instanceId });
    const reportWipe = (seq: number, status: string) =>
      agent.request('wipe-status', { v: 1, wipe_id, seq, status, at: new Date().toISOString() });
    await reportWipe(1, 'stopping');
    const during = await buy();
    await hurry();
    await reportWipe(2, 'completed');
    expect(await deliveriesOf(world, tenant, before)).toHaveLength(1);
    await agent.finish(lateCommand);
    await until(
      async () => (await deliveriesOf(world, tenant, before)).some((each) => each.wipe_id === wipe_id),
      'the repeated items',
    );
    const command = await until(
      () => agent.commands.find(({ args }) => args['transaction_id'] === during),
      'the purchase made meanwhile',
    );
    await agent.finish(command.id);
    await untilStatus(during, 'delivered');
    expect(await deliveriesOf(world, tenant, during)).toHaveLength(1);
  });

  it('are not sent during a wipe', async () => {
    const { agent, instanceId, buy } = await shop();
    const wipe_id = await createWipe(world, tenant, { instance_id: instanceId });
    const reportWipe = (seq: number, status: string) =>
      agent.request('wipe-status', { v: 1, wipe_id, seq, status, at: new Date().toISOString() });
    await reportWipe(1, 'starting');
    const id = await buy();
    const other = await shop();
    await other.buy();
    await asked(other.agent);
    expect(await deliveriesOf(world, tenant, id)).toMatchObject([{ status: 'waiting', attempt_count: 0 }]);
    await reportWipe(2, 'completed');
    await asked(agent);
  });

  it('are repeated after each wipe for delivered items with that option', async () => {
    const { agent, instanceId, buy } = await shop({ repeats_after_wipe: true });
    const ids = [await buy(), await buy()];
    await agent.finish((await asked(agent)).id);
    await agent.finish((await asked(agent, 1)).id);
    for (const id of ids) await untilStatus(id, 'delivered');
    await settle(world, tenant, ids[1] ?? '', 'refunded');
    const wipe_id = await createWipe(world, tenant, { instance_id: instanceId });
    const report = { v: 1, wipe_id, seq: 1, status: 'completed', at: new Date().toISOString() };
    for (const seq of [1, 2])
      expect(await agent.request('wipe-status', { ...report, seq })).toMatchObject({ ok: true });
    const { args } = await asked(agent, 2);
    expect(args).toMatchObject({ transaction_id: ids[0] });
    expect((await deliveriesOf(world, tenant, ids[0] ?? '')).map((each) => each.wipe_id).toSorted()).toEqual(
      [null, wipe_id].toSorted(),
    );
    expect(await deliveriesOf(world, tenant, ids[1] ?? '')).toHaveLength(1);
  });
});
