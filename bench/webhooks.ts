// 10,000 deliveries of a webhook to a local receiver, compared with a bare undici loop; memory with a dead
// receiver.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import pg from 'pg';
import { Agent, request } from 'undici';
import { WebhookSecrets } from '../src/services/webhooks/secrets.ts';
import { Children, type Child } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';
import { printComparison } from './support/figures.ts';

const deliveries = 10_000;
const rounds = 5;
/** As many concurrent requests as a webhook has. */
const atOnce = 8;
const patienceMs = 120_000;
const body = JSON.stringify({ type: 'host.offline', data: { hostname: 'bench', instances: ['main'] } });

const environment = await openEnvironment();
const settings = JSON.parse(environment.settings) as { jwtSecret: string };
const children = new Children();
const pool = new pg.Pool({ connectionString: environment.databaseUrl, max: 2 });
const dead = createServer();
try {
  const receiver = await children.start('servers/receiver.ts', {});
  const platform = await children.start('servers/platform.ts', { ...settings, roles: ['api', 'jobs'] });
  const atRest = await memoryOf(platform);
  const alive = await createWebhook('alive', receiver.ready.url);
  await deliver(alive);
  await requestAll(receiver.ready.url);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await deliver(alive));
    theirs.push(await requestAll(receiver.ready.url));
  }
  printComparison({
    name: `${deliveries} deliveries to a local receiver`,
    baseline: `bare undici, ${atOnce} at once`,
    unit: 'deliveries/s',
    ours,
    theirs,
    aim: '≥ 0.3',
  });
  const afterwards = await memoryOf(platform);
  dead.listen(0, '127.0.0.1');
  await once(dead, 'listening');
  await queue(await createWebhook('dead', `http://127.0.0.1:${(dead.address() as AddressInfo).port}/`));
  await new Promise((resolve) => setTimeout(resolve, 20_000));
  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;
  console.log('\nmemory of the platform process (resident)');
  console.log(`  at rest            ${megabytes(atRest)}`);
  console.log(`  after deliveries   ${megabytes(afterwards)}`);
  console.log(`  receiver is dead   ${megabytes(await memoryOf(platform))}, ${deliveries} queued for 20 s`);
} finally {
  await children.stop();
  dead.close();
  await pool.end();
  await environment.stop();
}

async function memoryOf(child: Child): Promise<number> {
  return (await child.ask<{ rss: number }>('memory')).rss;
}

interface BenchWebhook {
  id: string;
  licenseId: string;
}

async function createWebhook(name: string, url: string): Promise<BenchWebhook> {
  const { rows } = await pool.query<{ id: string; license_id: string }>(
    `with license as (
       insert into license (key, name, subdomain, companion_token_hash) values ($1, $1, $1, $1) returning id
     )
     insert into webhook (license_id, name, url, events, secret)
     select id, 'bench', $2, '{host.offline}', '' from license returning id, license_id`,
    [name, url],
  );
  const [{ id, license_id: licenseId } = { id: '', license_id: '' }] = rows;
  const { encrypted } = new WebhookSecrets(settings.jwtSecret).create(id);
  await pool.query('update webhook set secret = $1 where id = $2', [encrypted, id]);
  return { id, licenseId };
}

async function queue({ id, licenseId }: BenchWebhook): Promise<void> {
  await pool.query(
    `insert into webhook_delivery (license_id, webhook_id, event, body)
     select $1, $2, 'host.offline', $3 from generate_series(1, $4::int)`,
    [licenseId, id, body, deliveries],
  );
}

/** Deliveries per second, from the first to the last attempt. */
async function deliver(webhook: BenchWebhook): Promise<number> {
  await pool.query('truncate webhook_delivery');
  await queue(webhook);
  const started = performance.now();
  for (;;) {
    const { rows } = await pool.query<{ left: number; seconds: number }>(
      `select count(*) filter (where status <> 'succeeded')::int as left,
         extract(epoch from max(finished_at) - min(last_attempt_at))::float as seconds from webhook_delivery`,
    );
    const [{ left, seconds } = { left: 1, seconds: 0 }] = rows;
    if (left === 0) return deliveries / seconds;
    if (performance.now() - started > patienceMs) throw new Error('deliveries were not made');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Requests per second with undici alone. */
async function requestAll(url: string): Promise<number> {
  const dispatcher = new Agent({ connections: atOnce, pipelining: 1 });
  const headers = { 'content-type': 'application/json' };
  let left = deliveries;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const reply = await request(url, { dispatcher, method: 'POST', headers, body });
      await reply.body.dump();
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  const seconds = (performance.now() - started) / 1000;
  await dispatcher.close();
  return deliveries / seconds;
}
