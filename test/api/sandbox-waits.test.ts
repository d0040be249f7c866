// What the clock of a sandbox waits for: jobs and agents of other processes, which may be slow or begin late.
import type { components } from '../../generated/platform.d.ts';
import { askAt, type TestSandbox } from '../support/sandboxes.ts';
import { until } from '../support/until.ts';
import { World, type Method } from '../support/world.ts';

type Schemas = components['schemas'];
type Sandbox = Pick<TestSandbox, 'made'>;

const daySeconds = 24 * 60 * 60;
const rarely = 3_600_000;
const defaultIntervals = { jobIntervals: {} };
/** More often than an advance needs to pass a moment. */
const looks = 30;

let world: World;

/** Its own process simulates no agents and sends no deliveries; a replica does. */
beforeEach(async () => {
  world = await World.create({
    jobIntervals: { chores: { 'lease simulated hosts': rarely, 'send deliveries': rarely } },
  });
});

afterEach(async () => {
  await world.close();
});

const ask = (sandbox: Sandbox, method: Method, path: string) => askAt(world.url, sandbox, method, path);

async function createSandbox(): Promise<Sandbox & { main: string }> {
  const { body: made } = await world.call('post', '/api/sandbox').expect(201);
  const sandbox = { made: made as Schemas['CreatedSandbox'] };
  const { body: page } = await ask(sandbox, 'get', '/api/fleet/instances').expect(200);
  const main = (page as Schemas['GameInstancePage']).data.find(({ name }) => name === 'main')?.id;
  return { ...sandbox, main: main ?? '' };
}

async function schedule(sandbox: Sandbox & { main: string }, action: Schemas['ScheduleAction']) {
  await ask(sandbox, 'post', '/api/schedules')
    .send({ name: 'Daily', instance_id: sandbox.main, cron: '0 20 * * *', time_zone: 'UTC', action })
    .expect(201);
}

/** Advances the clock with one request. */
const advance = (sandbox: Sandbox, to: string) =>
  ask(sandbox, 'post', '/api/sandbox/clock')
    .send({ to })
    .then(({ status, body }) => ({
      status,
      body: body as Schemas['SandboxClockResult'] & { code?: string },
    }));

/** Advances the clock with as many requests as that takes: one ends after 25 seconds. */
async function advanceFully(sandbox: Sandbox, to: string): Promise<void> {
  while (!(await advance(sandbox, to)).body.is_complete);
}

const inDays = (days: number) => new Date(Date.now() + days * daySeconds * 1_000).toISOString();

async function offsetOf(sandbox: Sandbox): Promise<number> {
  const { body } = await ask(sandbox, 'get', '/api/sandbox').expect(200);
  return (body as Schemas['Sandbox']).clock.offset_seconds;
}

/** Waits until the license has such rows, and then sees that the clock stays within the days. */
async function staysBefore(sandbox: Sandbox, days: number, table: string): Promise<void> {
  await until(async () => {
    const rows = await world.database.query(`select from ${table} where license_id = $1`, [
      sandbox.made.license_id,
    ]);
    return rows.length > 0;
  }, `rows of ${table}`);
  for (let look = 0; look < looks; look += 1) expect(await offsetOf(sandbox)).toBeLessThan(days * daySeconds);
}

it('a wipe is not passed before an agent has taken its command, however late the agent begins', async () => {
  const sandbox = await createSandbox();
  // An event is reported by the process that takes it, before a process simulates the agent.
  await ask(sandbox, 'post', '/api/sandbox/events').send({ kind: 'join', instance: 'main' }).expect(200);
  await schedule(sandbox, { kind: 'wipe', wipe: { kind: 'map', countdown_seconds: 600, backup: true } });
  const advancing = advanceFully(sandbox, inDays(2));
  await staysBefore(sandbox, 1, 'wipe_history');
  await world.addReplica(defaultIntervals);
  await advancing;
  const { body: wipes } = await ask(sandbox, 'get', '/api/wipes').expect(200);
  expect((wipes as Schemas['WipePage']).data.at(-1)?.status).toBe('completed');
});

it('a paid order is delivered before the clock moves, and does not expire', async () => {
  const sandbox = await createSandbox();
  await ask(sandbox, 'post', '/api/sandbox/events').send({ kind: 'order' }).expect(200);
  const advancing = advanceFully(sandbox, inDays(30.9));
  await staysBefore(sandbox, 1, 'store_delivery');
  await world.addReplica(defaultIntervals);
  await advancing;
  const { body } = await ask(sandbox, 'get', '/api/webstore/deliveries').expect(200);
  expect((body as Schemas['StoreDeliveryPage']).data.map(({ status }) => status)).toEqual(['delivered']);
});

it('a reset ends an advance that waits for an agent, and leaves the new clock as it is', async () => {
  const sandbox = await createSandbox();
  await schedule(sandbox, { kind: 'announcement', message: 'Good night' });
  const advancing = advance(sandbox, inDays(2));
  await staysBefore(sandbox, 1, 'command');
  await ask(sandbox, 'post', '/api/sandbox/reset').expect(200);
  expect(await advancing).toMatchObject({ status: 409, body: { code: 'simulation_refused' } });
  expect(await offsetOf(sandbox)).toBe(0);
});

it('a silent agent takes nothing, so that the clock passes its silence', async () => {
  const sandbox = await createSandbox();
  await world.addReplica(defaultIntervals);
  await ask(sandbox, 'post', '/api/sandbox/events').send({ kind: 'silence', seconds: 3_600 }).expect(200);
  await ask(sandbox, 'post', `/api/instances/${sandbox.main}/restart`).expect(202);
  await advanceFully(sandbox, inDays(1));
  const { body: page } = await ask(sandbox, 'get', '/api/commands').expect(200);
  expect((page as Schemas['CommandPage']).data.map(({ status }) => status)).toEqual(['succeeded']);
});
