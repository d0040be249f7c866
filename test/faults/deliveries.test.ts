// Paid orders until they have arrived on the simulated server, while the agent and the platform are killed at random.
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rustProgram, freePort } from '../agent/support/rcon.ts';
import { Program, writeAgentConfig } from '../support/processes.ts';
import { openStore, order, sell, settle } from '../support/store.ts';
import { until } from '../support/until.ts';
import { jwtSecret, World, type Tenant } from '../support/world.ts';

/** Many of them take an hour of their own: GANTRY_FAULT_ORDERS=1000. */
const orders = Number(process.env['GANTRY_FAULT_ORDERS'] ?? 24);
const limitMs = 120_000 + orders * 3_000;
/** Between two kills, and the next. */
const pauseMs = { least: 1_000, most: 4_000 };

let directory: string;
let world: World;
let tenant: Tenant;
let platform: Program;
let agent: Program;

const givenFile = () => join(directory, 'given');
const given = () =>
  existsSync(givenFile()) ? readFileSync(givenFile(), 'utf8').split('\n').filter(Boolean) : [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-faults-'));
  world = await World.create({ roles: ['api'], heartbeatIntervalSeconds: 1 });
  tenant = await world.createTenant();
  await writeFile(join(directory, 'keys.json'), JSON.stringify(world.nats.keys), { mode: 0o600 });
  await writeFile(join(directory, 'rcon-password'), 'secret\n');
  const port = await freePort();
  const playing = ['--boot-ms', '60', '--play-ms', '0', '--given-file', givenFile()];
  await writeAgentConfig(join(directory, 'agent.json'), [
    {
      name: 'main',
      command: process.execPath,
      args: [rustProgram, ...playing, '+rcon.port', String(port), '+rcon.password', 'secret'],
      game: 'rust',
      ready_pattern: 'Server startup complete',
      ready_after_seconds: 20,
      stop: { command: 'quit' },
      stop_grace_seconds: 5,
      webrcon: { port, password_file: join(directory, 'rcon-password') },
    },
  ]);
  platform = Program.platform({
    DATABASE_URL: world.database.url,
    NATS_URL: world.nats.url,
    GANTRY_NATS_KEYS: join(directory, 'keys.json'),
    GANTRY_BUS_PREFIX: world.nats.prefix,
    GANTRY_JWT_SECRET: jwtSecret,
    GANTRY_DATA_DIR: join(directory, 'platform'),
    GANTRY_HEARTBEAT_SECONDS: '1',
    GANTRY_ROLES: 'jobs,ingest',
    LOG_LEVEL: 'warn',
  });
  agent = Program.agent({
    GANTRY_URL: world.url,
    GANTRY_COMPANION_TOKEN: tenant.license.companion_token,
    GANTRY_AGENT_CONFIG: join(directory, 'agent.json'),
    GANTRY_AGENT_STATE: join(directory, 'agent'),
  });
  await Promise.all([platform.start(), agent.start()]);
}, 120_000);

afterAll(async () => {
  await world
    .call('post', `/api/instances/${await instanceId()}/stop`, tenant.owner)
    .set('Prefer', 'wait=10');
  await agent.signal('SIGTERM');
  await platform.signal('SIGKILL');
  await world.close();
  await rm(directory, { recursive: true, force: true });
}, 60_000);

const instanceId = () =>
  until(async () => {
    const { body } = await world.call('get', '/api/fleet/instances', tenant.owner).expect(200);
    return (body as { data: { id: string }[] }).data[0]?.id;
  }, 'the instance');

const counts = async () => {
  const rows = await world.database.query<{ status: string; count: number }>(
    'select status, count(*)::int as count from store_delivery group by 1',
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
};

it(
  'none is lost and none is brought twice',
  async () => {
    const id = await instanceId();
    await world.call('post', `/api/instances/${id}/start`, tenant.owner).set('Prefer', 'wait=10').expect(202);
    await openStore(world, tenant);
    const item = await sell(world, tenant, {
      instance_ids: [id],
      delivery_commands: ['inventory.giveto {transaction_id}'],
    });
    let isOver = false;
    const kills = { agent: 0, platform: 0 };
    const havoc = async (name: keyof typeof kills, program: Program) => {
      while (!isOver) {
        const wait = pauseMs.least + Math.random() * (pauseMs.most - pauseMs.least);
        await new Promise((resolve) => setTimeout(resolve, wait));
        if (isOver) return;
        await program.signal('SIGKILL');
        kills[name] += 1;
        await program.start();
        const before = (await counts())['delivered'] ?? 0;
        await until(async () => isOver || ((await counts())['delivered'] ?? 0) > before, 'another', limitMs);
      }
    };
    const buying = async () => {
      const ids: string[] = [];
      for (let index = 0; index < orders; index += 1) {
        const { id: orderId } = await order(world, tenant, [{ item_id: item.id, quantity: 1 }]);
        await settle(world, tenant, orderId);
        ids.push(orderId);
      }
      return ids;
    };
    const troubles = Promise.all([havoc('agent', agent), havoc('platform', platform)]);
    const ids = await buying();
    await until(
      async () => ((await counts())['delivered'] ?? 0) === orders,
      'every delivery',
      limitMs,
    ).finally(() => (isOver = true));
    await troubles;
    process.stdout.write(`${orders} paid, ${given().length} brought; killed: ${JSON.stringify(kills)}\n`);
    expect(given().toSorted()).toEqual(ids.toSorted());
    expect(await counts()).toEqual({ delivered: orders });
    expect(kills.agent + kills.platform).toBeGreaterThan(0);
  },
  limitMs * 2,
);
