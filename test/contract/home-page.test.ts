// `/` leads people to the setup, the panel or the reference.
import request from 'supertest';
import { password, World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'], withoutFirstUser: true });
});

afterAll(async () => {
  await world.close();
});

async function targetOf(url: string): Promise<unknown> {
  const { headers } = await request(url).get('/').expect(302);
  expect(headers['cache-control']).toBe('no-store');
  return headers['location'];
}

it('leads to the setup until there is a user, then to the reference', async () => {
  const replica = await world.addReplica();
  expect(await targetOf(world.url)).toBe('/setup');
  expect(await targetOf(replica.url ?? '')).toBe('/setup');
  const { firstUser } = world.platform;
  if (firstUser.kind !== 'setup-token') throw new Error('a world without a first user has a setup token');
  await world
    .call('post', '/auth/bootstrap')
    .send({ setup_token: firstUser.token, email: 'first@example.com', password })
    .expect(201);
  expect(await targetOf(world.url)).toBe('/api/docs');
  expect(await targetOf(replica.url ?? '')).toBe('/api/docs');
  for (const path of ['/setup', '/api/docs']) await world.call('get', path).expect(200);
});

it('leads to the panel where there is one', async () => {
  const { url = '' } = await world.addReplica({ panelUrl: 'https://panel.example.com/start' });
  expect(await targetOf(url)).toBe('https://panel.example.com/start');
});

it('rejects other methods, as unknown paths do', async () => {
  const { body } = await world.call('post', '/').expect(404);
  expect(body.code).toBe('not_found');
});
