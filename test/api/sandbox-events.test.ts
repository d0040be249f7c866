// Events that developers simulate in a sandbox: of players, servers, the host and the store.
import type { components } from '../../generated/platform.d.ts';
import { askAt, createSandbox, type TestSandbox } from '../support/sandboxes.ts';
import { itemInput, someSteamId } from '../support/store.ts';
import { until } from '../support/until.ts';
import { World, type Method } from '../support/world.ts';

type Schemas = components['schemas'];
type Result = Schemas['SandboxEventResult'];

let world: World;
let sandbox: TestSandbox;

beforeAll(async () => {
  world = await World.create({ heartbeatIntervalSeconds: 1 });
  sandbox = await createSandbox(world);
});

afterAll(async () => {
  await world.close();
});

const ask = (method: Method, path: string) => askAt(world.url, sandbox, method, path);

async function simulate(event: Schemas['SandboxEvent']): Promise<Result> {
  const { body } = await ask('post', '/api/sandbox/events').send(event).expect(200);
  return body as Result;
}

async function refused(status: number, event: Schemas['SandboxEvent']): Promise<string> {
  const { body } = await ask('post', '/api/sandbox/events').send(event).expect(status);
  return (body as Schemas['Problem']).code;
}

const online = async () =>
  (
    (await ask('get', `/api/instances/${sandbox.main}/players`).expect(200))
      .body as Schemas['OnlinePlayerList']
  ).data;

const stateOf = async (id: string) =>
  ((await ask('get', '/api/fleet/instances').expect(200)).body as Schemas['GameInstancePage']).data.find(
    (instance) => instance.id === id,
  )?.state;

describe('a player', () => {
  it('joins, speaks and leaves, with a session of their own', async () => {
    const steamId = someSteamId();
    const joined = await simulate({
      kind: 'join',
      instance: 'main',
      steam_id: steamId,
      display_name: 'Aster',
    });
    expect(joined.player).toEqual({ steam_id: steamId, display_name: 'Aster' });
    expect((await online()).map(({ steam_id }) => steam_id)).toContain(steamId);
    await simulate({ kind: 'chat', instance: 'main', steam_id: steamId, text: 'hello there' });
    await simulate({ kind: 'leave', instance: 'main', steam_id: steamId });
    expect((await online()).map(({ steam_id }) => steam_id)).not.toContain(steamId);
    await until(async () => {
      const rows = await world.database.query(
        'select from player_session where license_id = $1 and steam_id = $2 and ended_at is not null',
        [sandbox.made.license_id, steamId],
      );
      return rows.length === 1;
    }, 'the session of the player');
  });

  it('is drawn from the simulated players, who are no real accounts', async () => {
    const { player } = await simulate({ kind: 'join', instance: 'main' });
    expect(player?.display_name).toMatch(/^[A-Z][a-z]+$/);
    // Steam numbers accounts in ascending order; these are at the end of the range.
    for (const { steam_id } of await online())
      if (steam_id !== player?.steam_id) expect(BigInt(steam_id)).toBeGreaterThan(76_561_202_255_000_000n);
  });

  it('not_found, simulation_refused, instance_not_running: says what the simulation does not allow', async () => {
    const steamId = someSteamId();
    expect(await refused(404, { kind: 'leave', instance: 'main', steam_id: steamId })).toBe('not_found');
    expect(await refused(404, { kind: 'chat', instance: 'main', steam_id: steamId, text: 'hi' })).toBe(
      'not_found',
    );
    expect(await refused(409, { kind: 'join', instance: 'event' })).toBe('instance_not_running');
    await ask('post', `/api/instances/${sandbox.main}/players/${steamId}/ban`)
      .send({ reason: 'Testing' })
      .expect(202);
    await until(
      async () =>
        (await ask('post', '/api/sandbox/events').send({ kind: 'join', instance: 'main', steam_id: steamId }))
          .status === 409,
      'the ban',
    );
    expect(await refused(409, { kind: 'join', instance: 'main', steam_id: steamId })).toBe(
      'simulation_refused',
    );
  });
});

it('a crash ends the process and its players leave, and the server starts again', async () => {
  await simulate({ kind: 'crash', instance: 'main' });
  await until(async () => (await stateOf(sandbox.main)) === 'crashed', 'the crash');
  expect(await refused(409, { kind: 'crash', instance: 'main' })).toBe('instance_not_running');
  await ask('post', `/api/instances/${sandbox.main}/start`).expect(202);
  await until(async () => (await stateOf(sandbox.main)) === 'running', 'the start');
});

it('an order opens a store, is paid and delivered', async () => {
  const paid = await simulate({ kind: 'order' });
  expect(paid.order).toMatchObject({ status: 'paid', is_test: true, provider: 'sandbox' });
  await until(async () => {
    const { body } = await ask('get', '/api/webstore/deliveries').expect(200);
    return (body as Schemas['StoreDeliveryPage']).data.some(({ status }) => status === 'delivered');
  }, 'the delivery');
  const unpaid = await simulate({ kind: 'order', payment: 'none', steam_id: someSteamId() });
  expect(unpaid.order?.status).toBe('pending');
  const failed = await simulate({ kind: 'order', payment: 'failed', steam_id: someSteamId() });
  expect(failed.order?.status).toBe('failed');
  const named = await simulate({ kind: 'order', item_name: 'VIP', quantity: 2, steam_id: someSteamId() });
  expect(named.order?.total.amount).toBe('19.98');
  expect(await refused(404, { kind: 'order', item_name: 'Nothing' })).toBe('not_found');
  const { body } = await ask('get', '/api/webstore/items').expect(200);
  expect((body as Schemas['StoreItemPage']).data).toHaveLength(1);
});

describe('an order beside an item of the developer', () => {
  it('opens the store, and leaves a closed one closed', async () => {
    const own = await createSandbox(world);
    const asOwner = (method: Method, path: string) => askAt(world.url, own, method, path);
    const order = (fields: object) =>
      asOwner('post', '/api/sandbox/events').send({ kind: 'order', ...fields });
    await asOwner('post', '/api/webstore/items')
      .send(itemInput({ name: 'Kit', instance_ids: [own.main] }))
      .expect(201);
    for (const fields of [{ item_name: 'Kit' }, { steam_id: someSteamId() }]) {
      const { body } = await order(fields).expect(200);
      expect((body as Result).order).toMatchObject({ status: 'paid', lines: [{ item_name: 'Kit' }] });
    }
    const { body: stored } = await asOwner('get', '/api/webstore/config').expect(200);
    const { name, currency, theme, terms, provider, version } = stored as Schemas['StoreSettings'];
    await asOwner('put', '/api/webstore/config')
      .set('if-match', `"${version}"`)
      .send({ name, currency, theme, terms, provider, is_enabled: false })
      .expect(200);
    const { body: refusal } = await order({}).expect(404);
    expect((refusal as Schemas['Problem']).detail).toMatch(/^The store is closed/);
  });
});

it('a silent host is offline, does not respond, and reports afterwards what happened', async () => {
  const statusOf = async () =>
    ((await ask('get', '/api/fleet/hosts').expect(200)).body as Schemas['AgentHostPage']).data[0]?.status;
  const { silent_until } = await simulate({ kind: 'silence', seconds: 3_600 });
  expect(silent_until).not.toBeNull();
  await until(async () => (await statusOf()) === 'offline', 'the silence');
  const steamId = someSteamId();
  await simulate({ kind: 'join', instance: 'main', steam_id: steamId });
  const { body: refusal } = await ask('get', `/api/instances/${sandbox.main}/players`).expect(504);
  expect((refusal as Schemas['Problem']).code).toBe('agent_timeout');
  await ask('post', '/api/sandbox/clock').send({ seconds: 3_601 }).expect(200);
  await until(async () => (await statusOf()) === 'online', 'the return');
  await until(async () => (await online()).some(({ steam_id }) => steam_id === steamId), 'the player');
});

it('sandbox_required: simulates nothing in other licenses', async () => {
  const { owner } = await world.createTenant();
  const { body } = await world
    .call('post', '/api/sandbox/events', owner)
    .send({ kind: 'join', instance: 'main' })
    .expect(409);
  expect(body).toMatchObject({ code: 'sandbox_required' });
});
