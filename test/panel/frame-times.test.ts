// The time that scripts take in each frame: a long list of servers, and a long console.
import type { Browser, WebSocketRoute } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { createCluster, createHost } from '../support/rows.ts';
import { World, type Tenant } from '../support/world.ts';
import { measureFrames, type FrameTimes } from './support/frames.ts';
import { Visitor } from './support/panel.ts';

const instanceCount = 2_000;
const lineCount = 100_000;
/** Lines beyond those that a console keeps. */
const lostCount = 15_000;
/** A frame of a display at 60 Hz. */
const limitMs = 16;

let world: World;
let browser: Browser;
let tenant: Tenant;
let instanceIds: string[];
let clusterId: string;

beforeAll(async () => {
  browser = await openBrowser();
  world = await World.create({ servesPanel: true });
  tenant = await world.createTenant();
  const hostId = await createHost(world, tenant, { hostname: 'rust-01', status: 'online' });
  const rows = await world.database.query<{ id: string }>(
    `insert into game_instance (license_id, host_id, name, state, players, max_players, fps)
     select $1, $2, 'server-' || number, 'running', number % 100, 100, 60
     from generate_series(1, $3::int) number returning id`,
    [tenant.license.id, hostId, instanceCount],
  );
  clusterId = await createCluster(world, tenant);
  instanceIds = rows.map(({ id }) => id);
});

afterAll(async () => {
  await world.close();
  await browser.close();
});

function report(what: string, { scripting, at }: FrameTimes): void {
  const figures = [0.5, 0.95, 0.99, 1].map((share) => at(share).toFixed(1)).join(', ');
  process.stdout.write(`${what}: ${scripting.length} frames, scripting p50, p95, p99, max ${figures} ms\n`);
}

async function scroll(visitor: Visitor, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    await visitor.page.mouse.wheel(0, step % 20 < 15 ? 300 : -240);
    await visitor.page.evaluate('new Promise(requestAnimationFrame)');
  }
}

it('of 2,000 servers is short while they are scrolled and change', async () => {
  const visitor = await Visitor.open(browser, world, { email: tenant.owner.email });
  await visitor.row('server-1').waitFor();
  await visitor.says('2,000 servers');
  await visitor.page.mouse.move(700, 500);
  const frames = await measureFrames(browser, visitor.page, async () => {
    let isDone = false;
    const changes = (async () => {
      for (let round = 0; !isDone; round += 1) {
        const id = instanceIds[(round * 37) % instanceCount];
        await world.database.query(`update game_instance set players = $2 where id = $1`, [id, round % 100]);
        await world
          .call('patch', `/api/fleet/instances/${id}`, tenant.owner)
          .send({ cluster_id: round % 2 === 0 ? clusterId : null })
          .expect(200);
      }
    })();
    await scroll(visitor, 150);
    isDone = true;
    await changes;
  });
  report('2,000 servers', frames);
  expect(frames.scripting.length).toBeGreaterThan(50);
  expect(frames.at(0.99)).toBeLessThan(limitMs);
  expect(visitor.faults).toEqual([]);
});

it('of 100,000 console lines is short while they arrive and are scrolled', async () => {
  const [instanceId = ''] = instanceIds;
  const visitor = await Visitor.open(browser, world, { email: tenant.owner.email });
  const { page } = visitor;
  let socket: WebSocketRoute | undefined;
  await page.route('**/console-tickets', (route) =>
    route.fulfill({ status: 201, json: { url: '/api/console/test', expires_at: new Date().toISOString() } }),
  );
  await page.routeWebSocket(/\/api\/console\//, (opened) => {
    socket = opened;
    opened.send(JSON.stringify({ type: 'hello', may_input: true }));
  });
  await visitor.go(`/servers/${instanceId}/console`);
  await page.locator('main').getByText('Live', { exact: true }).waitFor();
  let seq = 0;
  const send = (count: number) => {
    const lines = Array.from({ length: count }, () => ({
      seq: (seq += 1),
      at: new Date().toISOString(),
      stream: 'stdout',
      text: `Saved ${seq} ents, cache(0.41), write(0.10), disk(0.02).`,
    }));
    socket?.send(JSON.stringify({ type: 'lines', boot: 'boot', lines }));
  };
  const nextFrame = () => page.evaluate('new Promise(requestAnimationFrame)');
  const arriving = await measureFrames(browser, page, async () => {
    while (seq < lineCount + lostCount) {
      send(500);
      await nextFrame();
    }
  });
  report('100,000 lines arriving', arriving);
  await page.getByRole('log').hover();
  const scrolled = await measureFrames(browser, page, async () => {
    for (let step = 0; step < 100; step += 1) {
      await page.mouse.wheel(0, step % 20 < 15 ? -300 : 240);
      send(20);
      await nextFrame();
    }
  });
  report('100,000 lines scrolled', scrolled);
  for (const frames of [arriving, scrolled]) {
    expect(frames.scripting.length).toBeGreaterThan(50);
    expect(frames.at(0.99)).toBeLessThan(limitMs);
  }
  expect(visitor.faults).toEqual([]);
});
