// A module from its purchase to the plugin that runs on the simulated server, through the platform and a real agent, and back.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { components } from '../../generated/platform.d.ts';
import { root } from '../support/contract.ts';
import { SimulatedServer } from '../support/simulated-server.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];
type Installation = Schemas['ModuleInstallation'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ heartbeatIntervalSeconds: 1 });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const module = 'player-insights';

const statusIs = (id: string, status: Installation['status']) =>
  until(
    async () => {
      const { body } = await world.call('get', `/api/modules/installations/${id}`, tenant.owner).expect(200);
      const installation = body as Installation;
      if (installation.status === 'failed') throw new Error(JSON.stringify(installation));
      return installation.status === status && installation;
    },
    `an installation that is ${status}`,
    60_000,
  );

it('is bought, installed, loaded and removed', async () => {
  const server = await SimulatedServer.start(world, tenant);
  const { instanceId } = server;
  const place = join(server.directory, 'oxide/plugins/GantryEvents.cs');
  const plugin = async () => {
    const { body } = await world
      .call('get', `/api/instances/${instanceId}/plugins`, tenant.owner)
      .expect(200);
    return (body as Schemas['PluginList']).data.find(({ name }) => name === 'GantryEvents');
  };

  const install = () =>
    world.call('post', '/api/modules/install', tenant.owner).send({ module, instance_id: instanceId });
  expect((await install().expect(409)).body.code).toBe('module_not_owned');
  await world.call('post', '/api/modules/purchase', tenant.owner).send({ module }).expect(201);
  // The agent knows the players once it is connected over RCON, which loading a plugin needs.
  await until(async () => {
    const { body } = await world.call('get', `/api/fleet/instances/${instanceId}`, tenant.owner).expect(200);
    return (body as Schemas['GameInstance']).players !== null;
  }, 'RCON');
  const { body } = await install().expect(202);
  const { id } = body as Installation;
  expect(await statusIs(id, 'installed')).toMatchObject({ module, plugin: 'GantryEvents', error: null });
  expect(readFileSync(place, 'utf8')).toBe(
    readFileSync(resolve(root, 'game-plugins/GantryEvents.cs'), 'utf8'),
  );
  await until(async () => (await plugin())?.state === 'loaded', 'the plugin to be loaded');

  await world.call('delete', `/api/modules/installations/${id}`, tenant.owner).expect(202);
  await statusIs(id, 'removed');
  expect(existsSync(place)).toBe(false);
  await until(async () => (await plugin()) === undefined, 'the plugin to be gone');
});
