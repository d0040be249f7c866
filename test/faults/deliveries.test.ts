// Orders from the request that creates them until their delivery on the simulated server, while processes are
// killed at random.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rustSettings } from '../agent/support/rust-instance.ts';
import { freePort } from '../support/free-port.ts';
import { Program, writeAgentConfig } from '../support/processes.ts';
import { parseMail } from '../support/mail.ts';
import { sell, someSteamId, storeInput, storePath, subscriptionIs } from '../support/store.ts';
import { completed, signatureOf, StandInStripe, stripeEvent } from '../support/stripe.ts';
import { until } from '../support/until.ts';
import { jwtSecret, World, type Tenant } from '../support/world.ts';

/** `npm run soak` is for many of them. */
const orders = Number(process.env['GANTRY_FAULT_ORDERS'] ?? 24);
const buyersAtOnce = 4;
/** The provider sends no callback for one of this many payments. */
const oneLostOf = 10;
const webhook_secret = 'whsec_of_a_store_that_is_shaken';
const limitMs = 120_000 + orders * 3_000;
/** Between two kills; a longer pause under load leaves more in progress at each kill. */
const pauseMs = { min: 1_000, max: Math.min(4_000 + orders * 10, 14_000) };

let directory: string;
let world: World;
let tenant: Tenant;
let platform: Program;
let api: Program;
let apiUrl: string;
let stripe: StandInStripe;
let agent: Program;

const givenFile = () => join(directory, 'given');
const given = () =>
  existsSync(givenFile()) ? readFileSync(givenFile(), 'utf8').split('\n').filter(Boolean) : [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-faults-'));
  stripe = await StandInStripe.start();
  world = await World.create({
    roles: ['api'],
    heartbeatIntervalSeconds: 1,
    payments: { stripeUrl: stripe.url },
  });
  tenant = await world.createTenant();
  await writeFile(join(directory, 'keys.json'), JSON.stringify(world.nats.keys), { mode: 0o600 });
  const apiPort = await freePort();
  apiUrl = `http://127.0.0.1:${apiPort}`;
  await writeAgentConfig(join(directory, 'agent.json'), [
    await rustSettings(directory, ['--given-file', givenFile()]),
  ]);
  const shared = {
    DATABASE_URL: world.database.url,
    NATS_URL: world.nats.url,
    GANTRY_NATS_KEYS: join(directory, 'keys.json'),
    GANTRY_BUS_PREFIX: world.nats.prefix,
    GANTRY_JWT_SECRET: jwtSecret,
    GANTRY_SEALING_SECRET: jwtSecret,
    GANTRY_STRIPE_URL: stripe.url,
    GANTRY_PUBLIC_URL: apiUrl,
    GANTRY_STORAGE_DIR: world.storageDirectory,
    GANTRY_RATE_LIMIT_FACTOR: '1000',
    GANTRY_HEARTBEAT_SECONDS: '1',
    LOG_LEVEL: 'warn',
  };
  platform = Program.platform({
    ...shared,
    GANTRY_DATA_DIR: join(directory, 'platform'),
    GANTRY_ROLES: 'jobs,ingest',
  });
  api = Program.platform({
    ...shared,
    GANTRY_DATA_DIR: join(directory, 'api'),
    GANTRY_ROLES: 'api',
    PORT: String(apiPort),
    HOST: '127.0.0.1',
  });
  agent = Program.agent({
    GANTRY_URL: world.url,
    GANTRY_COMPANION_TOKEN: tenant.license.companion_token,
    GANTRY_AGENT_CONFIG: join(directory, 'agent.json'),
    GANTRY_AGENT_STATE: join(directory, 'agent'),
  });
  await Promise.all([platform.start(), api.start(), agent.start()]);
});

afterAll(async () => {
  await world
    .call('post', `/api/instances/${await instanceId()}/stop`, tenant.owner)
    .set('Prefer', 'wait=10');
  await agent.signal('SIGTERM');
  await Promise.all([platform.signal('SIGKILL'), api.signal('SIGKILL')]);
  await world.close();
  await stripe.close();
  await rm(directory, { recursive: true, force: true });
});

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

/** Sends requests to the replica that is killed, retrying as often as needed. */
function ask(path: string, init: RequestInit, what: string): Promise<unknown> {
  return until(
    async () => {
      const reply = await fetch(`${apiUrl}${path}`, { method: 'POST', ...init }).catch(() => undefined);
      return reply?.ok === true ? await reply.json().catch(() => undefined) : undefined;
    },
    what,
    limitMs,
  );
}

async function openShakenStore(): Promise<void> {
  const { owner } = tenant;
  await world.call('post', '/api/webstore/subscription/create', owner).expect(201);
  await subscriptionIs(world, tenant, 'active');
  const account = { secret_key: 'rk_live_0123456789abcdef', webhook_secret };
  await world.call('put', '/api/webstore/providers/stripe', owner).send(account).expect(200);
  const config = storeInput({ provider: 'stripe' });
  await world.call('put', '/api/webstore/config', owner).send(config).expect(200);
}

const playersDomain = '@players.example.com';
const addressOf = (steamId: string) => `${steamId}${playersDomain}`;

/** The receivers of receipts: each message is a file of its own. Those to super admins report incidents. */
async function receivers(): Promise<string[]> {
  const mails = join(directory, 'platform', 'mail');
  const names = existsSync(mails) ? await readdir(mails) : [];
  const files = names.filter((name) => name.endsWith('.eml'));
  const sources = await Promise.all(files.map((name) => readFile(join(mails, name), 'utf8')));
  const addresses = sources.map((source) => parseMail(source).to);
  return addresses.filter((address) => address.endsWith(playersDomain)).toSorted();
}

/** The same key for every retry: one order. */
async function buy(itemId: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  const steam_id = someSteamId();
  const email = addressOf(steam_id);
  const body = JSON.stringify({ steam_id, email, items: [{ item_id: itemId, quantity: 1 }] });
  const made = await ask(`${storePath(tenant)}/purchase`, { headers, body }, 'an order');
  return (made as { id: string }).id;
}

/** Every event arrives twice at once, and two events report its payment. */
async function pay(orderId: string): Promise<void> {
  const paid = () => stripeEvent('checkout.session.completed', completed(orderId, 999));
  const first = paid();
  const tellings = [first, first, paid()].map(async (event) => {
    const body = JSON.stringify(event);
    const headers = {
      'Content-Type': 'application/json',
      'Stripe-Signature': signatureOf(body, webhook_secret),
    };
    await ask(`${storePath(tenant)}/webhook`, { headers, body }, 'the receipt of a callback');
  });
  await Promise.all(tellings);
}

/** No callback arrives, and the lookup is due. */
async function payWithoutCallback(orderId: string): Promise<void> {
  const reference = await until(
    async () => {
      const [row] = await world.database.query<{ checkout_reference: string | null }>(
        'select checkout_reference from store_order where id = $1',
        [orderId],
      );
      return row?.checkout_reference;
    },
    'the checkout',
    limitMs,
  );
  stripe.objects.set(
    `/v1/checkout/sessions/${reference}`,
    completed(orderId, 999, { status: 'complete', id: reference }),
  );
  await world.database.query('update store_order set next_ask_at = now() where id = $1', [orderId]);
}

it(
  'none is lost and none is delivered twice',
  async () => {
    const id = await instanceId();
    await world.call('post', `/api/instances/${id}/start`, tenant.owner).set('Prefer', 'wait=10').expect(202);
    await openShakenStore();
    const item = await sell(world, tenant, {
      instance_ids: [id],
      delivery_commands: ['inventory.giveto {transaction_id}'],
    });
    let isOver = false;
    const kills = { agent: 0, api: 0, platform: 0 };
    const ids: string[] = [];
    const delivered = async () => (await counts())['delivered'] ?? 0;
    const havoc = async (name: keyof typeof kills, program: Program, progress: () => Promise<number>) => {
      while (!isOver) {
        const wait = pauseMs.min + Math.random() * (pauseMs.max - pauseMs.min);
        await new Promise((resolve) => setTimeout(resolve, wait));
        if (isOver) return;
        await program.signal('SIGKILL');
        kills[name] += 1;
        await program.start();
        const before = await progress();
        await until(async () => isOver || (await progress()) > before, 'another', limitMs);
      }
    };
    const buying = async () => {
      while (ids.length < orders) {
        const index = ids.push('') - 1;
        const orderId = await buy(item.id);
        ids[index] = orderId;
        await (index % oneLostOf === 0 ? payWithoutCallback(orderId) : pay(orderId));
      }
    };
    const bought = async () => (ids.length === orders ? Infinity : ids.length);
    const troubles = Promise.all([
      havoc('agent', agent, delivered),
      havoc('api', api, bought),
      havoc('platform', platform, delivered),
    ]);
    try {
      await Promise.all(Array.from({ length: buyersAtOnce }, buying));
      await until(async () => (await delivered()) === orders, 'every delivery', limitMs);
    } finally {
      isOver = true;
    }
    await troubles;
    await until(async () => (await receivers()).length >= orders, 'every receipt', limitMs);
    const buyers = await world.database.query<{ steam_id: string }>('select steam_id from store_order');
    expect(await receivers()).toEqual(buyers.map(({ steam_id }) => addressOf(steam_id)).toSorted());
    const brought = given();
    const lost = ids.filter((orderId) => !brought.includes(orderId)).length;
    const doubled = brought.length - new Set(brought).size;
    process.stdout.write(
      `${orders} orders paid, ${brought.length} brought: lost ${lost}, doubled ${doubled}; ` +
        `callbacks lost: ${Math.ceil(orders / oneLostOf)}, others sent three times; killed: ${JSON.stringify(kills)}\n`,
    );
    expect(brought.toSorted()).toEqual(ids.toSorted());
    expect(await counts()).toEqual({ delivered: orders });
    expect(kills.agent + kills.platform + kills.api).toBeGreaterThan(0);
  },
  limitMs * 2,
);
