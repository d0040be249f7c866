// The simulated hosts of sandboxes: they behave like agents with real game servers.
import { createHash } from 'node:crypto';
import request, { type Test } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { until } from '../support/until.ts';
import { World, type Method } from '../support/world.ts';

type Schemas = components['schemas'];
type Created = Schemas['CreatedSandbox'];

let world: World;
let sandbox: Created;
let main: string;
let event: string;

const ask = (method: Method, path: string): Test =>
  request(world.url)[method](path).set('X-Api-Key', sandbox.api_key);

async function instances(): Promise<Schemas['GameInstance'][]> {
  const { body } = await ask('get', '/api/fleet/instances').expect(200);
  return (body as Schemas['GameInstancePage']).data;
}

const stateOf = async (id: string) => (await instances()).find((instance) => instance.id === id)?.state;

const reached = (id: string, state: string) =>
  until(async () => (await stateOf(id)) === state || undefined, `${state} of the instance`);

/** Sends a command and waits until it has ended. */
async function ended(test: Test): Promise<Schemas['Command']> {
  const { body } = await test.expect(202);
  const { id } = body as Schemas['Command'];
  return until(async () => {
    const { body: command } = await ask('get', `/api/commands/${id}`).expect(200);
    const { status } = command as Schemas['Command'];
    return ['queued', 'sent', 'acknowledged'].includes(status) ? undefined : (command as Schemas['Command']);
  }, 'the end of the command');
}

beforeAll(async () => {
  world = await World.create({ heartbeatIntervalSeconds: 1 });
  const { body } = await world.call('post', '/api/sandbox').send({ seed: 7 }).expect(201);
  sandbox = body as Created;
  const [first, second] = (await instances()).toSorted((one, other) => other.name.localeCompare(one.name));
  main = first?.id ?? '';
  event = second?.id ?? '';
  await reached(main, 'running');
});

afterAll(async () => {
  await world.close();
});

describe('a new sandbox', () => {
  it('has a host that is online, a server that runs and one that is stopped', async () => {
    const { body } = await ask('get', '/api/fleet/hosts').expect(200);
    expect((body as Schemas['AgentHostPage']).data).toMatchObject([
      { status: 'online', agent_version: 'simulated' },
    ]);
    expect((await instances()).map(({ name, game, state }) => [name, game, state]).toSorted()).toEqual([
      ['event', 'rust', 'stopped'],
      ['main', 'rust', 'running'],
    ]);
  });

  it('has players who are online, and who have sessions', async () => {
    const { body } = await ask('get', `/api/instances/${main}/players`).expect(200);
    const { data } = body as Schemas['OnlinePlayerList'];
    expect(data.length).toBeGreaterThanOrEqual(5);
    await until(async () => {
      const known = await world.database.query('select from player where license_id = $1', [
        sandbox.license_id,
      ]);
      return known.length >= 5 || undefined;
    }, 'the players that the plugin reports');
  });
});

describe('commands', () => {
  it('start, restart and stop a server', async () => {
    expect(await ended(ask('post', `/api/instances/${event}/start`))).toMatchObject({ status: 'succeeded' });
    await reached(event, 'running');
    expect(await ended(ask('post', `/api/instances/${event}/restart`))).toMatchObject({
      status: 'succeeded',
    });
    await reached(event, 'running');
    expect(await ended(ask('post', `/api/instances/${event}/stop`))).toMatchObject({ status: 'succeeded' });
    await reached(event, 'stopped');
  });

  it('create, restore and delete backups', async () => {
    const backups = async () =>
      ((await ask('get', `/api/instances/${main}/backups`).expect(200)).body as Schemas['InstanceBackupPage'])
        .data;
    const backup = await ended(ask('post', `/api/instances/${main}/backups`).send({ note: 'Before' }));
    expect(backup).toMatchObject({ status: 'succeeded' });
    expect(await backups()).toMatchObject([{ id: backup.id, note: 'Before', kind: 'manual' }]);
    const { body: refusal } = await ask('get', `/api/instances/${main}/backups/${backup.id}/download`).expect(
      409,
    );
    expect(refusal).toMatchObject({ code: 'not_supported' });
    expect(await ended(ask('post', `/api/instances/${main}/backups/${backup.id}/restore`))).toMatchObject({
      status: 'succeeded',
    });
    expect(await ended(ask('delete', `/api/instances/${main}/backups/${backup.id}`))).toMatchObject({
      status: 'succeeded',
    });
    expect(await backups()).toEqual([]);
  });

  it('install, unload and remove plugins', async () => {
    const source = 'namespace Oxide.Plugins { [Info("Trade", "x", "1.0.0")] class Trade : RustPlugin { } }';
    const sha256 = createHash('sha256').update(source).digest('hex');
    const trade = async () => {
      const { body } = await ask('get', `/api/instances/${main}/plugins`).expect(200);
      return (body as Schemas['PluginList']).data.find(({ name }) => name === 'Trade')?.state;
    };
    const path = `/api/instances/${main}/plugins/Trade`;
    const install = ask('put', `${path}?sha256=${sha256}`)
      .set('Content-Type', 'application/octet-stream')
      .send(Buffer.from(source));
    expect(await ended(install)).toMatchObject({ status: 'succeeded' });
    expect(await trade()).toBe('loaded');
    expect(await ended(ask('post', `${path}/unload`))).toMatchObject({ status: 'succeeded' });
    expect(await trade()).toBe('unloaded');
    expect(await ended(ask('post', `${path}/uninstall`))).toMatchObject({ status: 'succeeded' });
    expect(await trade()).toBeUndefined();
  });

  it('wipe a server through all phases', async () => {
    const { body } = await ask('post', `/api/instances/${main}/wipes`)
      .send({ kind: 'map', seed: 4_242, backup: true, countdown_seconds: 0 })
      .expect(202);
    const { id } = (body as Schemas['WipeResult']).wipe ?? { id: '' };
    const wipe = await until(async () => {
      const { body: present } = await ask('get', `/api/wipes/${id}`).expect(200);
      return (present as Schemas['Wipe']).finished_at === null ? undefined : (present as Schemas['Wipe']);
    }, 'the end of the wipe');
    expect(wipe).toMatchObject({ status: 'completed', file_count: 9, seed: 4_242 });
    await reached(main, 'running');
  });
});

describe('requests', () => {
  it('list, write and read files', async () => {
    const path = `/api/instances/${main}/files`;
    const { body } = await ask('get', `${path}?path=oxide`).expect(200);
    expect((body as { data: { name: string }[] }).data.map(({ name }) => name)).toEqual([
      'config',
      'plugins',
    ]);
    const content = `${path}/content?path=oxide/config/Trade.json`;
    await ask('put', content).send({ content: '{ "fee": 5 }' }).expect(200);
    const { body: read } = await ask('get', content).expect(200);
    expect(read).toMatchObject({ content: '{ "fee": 5 }' });
  });
});

describe('several processes', () => {
  const owners = async () => {
    const rows = await world.database.query<{ owner: string | null }>(
      'select distinct owner from simulated_host',
    );
    return rows.map(({ owner }) => owner);
  };

  it('run each host once, and another one takes over', async () => {
    await until(async () => !(await owners()).includes(null) || undefined, 'the lease');
    const [first, ...others] = await owners();
    expect(others).toEqual([]);
    const replica = await world.addReplica();
    // The first process stops listening when its lease has passed to the replica.
    await until(async () => {
      await world.database.query('update simulated_host set owned_until = now() where owner = $1', [first]);
      const [owner] = await owners();
      return owner !== first || undefined;
    }, 'the lease of the replica');
    expect(await ended(ask('post', `/api/instances/${event}/start`))).toMatchObject({ status: 'succeeded' });
    await replica.stop();
    await until(
      async () => (await owners()).includes(first ?? '') || undefined,
      'the lease of the first process',
    );
    expect(await ended(ask('post', `/api/instances/${event}/stop`))).toMatchObject({ status: 'succeeded' });
  });
});
