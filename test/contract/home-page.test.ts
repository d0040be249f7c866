// The addresses of the panel, where another panel is configured and where none is built.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { World } from '../support/world.ts';

const pages = ['/', '/setup', '/reset-password', '/accept-invitation'];

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

async function expectAbsence(url: string): Promise<void> {
  for (const path of pages) {
    const { text } = await request(url)
      .get(path)
      .set('Accept', 'text/html')
      .expect(503)
      .expect('Cache-Control', 'no-store')
      .expect('Content-Type', 'text/plain; charset=utf-8');
    expect(text).toContain('"npm run panel:build" builds it');
  }
  await request(url).get('/api/docs').expect(200);
  await request(url).get('/api/permissions').expect(401);
}

it('explain how to build the panel where none is served, and the API works', async () => {
  await expectAbsence(world.url);
});

it('wait for the panel while it is built, and explain how to build it once that has failed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-panel-'));
  let fail = () => {};
  const built = new Promise<void>((resolve) => {
    fail = resolve;
  });
  const { url = '' } = await world.addReplica({ panel: { directory: join(directory, 'absent'), built } });
  const waiting = await request(url).get('/setup').set('Accept', 'text/html').expect(503);
  expect(waiting.text).toContain('The panel is being built');
  expect(waiting.headers['retry-after']).toBe('2');
  fail();
  await new Promise((resolve) => setImmediate(resolve));
  await expectAbsence(url);
  await rm(directory, { recursive: true });
});

it('lead to another panel where one is configured', async () => {
  const { url = '' } = await world.addReplica({ panelUrl: 'https://panel.example.com/start' });
  const { headers } = await request(url).get('/').expect(302);
  expect(headers['location']).toBe('https://panel.example.com/start');
  expect(headers['cache-control']).toBe('no-store');
});

it('refuse other methods, as unknown paths do', async () => {
  const { body } = await world.call('post', '/').expect(404);
  expect(body.code).toBe('not_found');
});
