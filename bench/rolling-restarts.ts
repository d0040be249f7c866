// 10,000 requests on keep-alive connections, while the two replicas behind a balancer are replaced
// repeatedly.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { KeepAliveClient, sumOf, type RecordedRequest } from '../test/support/keep-alive-client.ts';
import { mapFile } from '../test/support/map-file.ts';
import { Program } from '../test/support/processes.ts';
import { TcpBalancer } from '../test/support/tcp-balancer.ts';
import { send } from './support/agent-host.ts';
import { openEnvironment } from './support/environment.ts';
import { refuseMissed } from './support/figures.ts';

const requests = 10_000;
const clientCount = 16;
const pauseMs = 60;
/** Some clients leave their connection idle for longer than a replica takes to stop. */
const longPauseMs = 8_000;
const credentials = { email: 'bench@example.com', password: 'correct-horse-battery' };
const files = Array.from({ length: 10 }, () => mapFile({ layer: randomBytes(500_000) }));
const boundary = 'boundary-of-the-benchmark';

const environment = await openEnvironment();
const directory = await mkdtemp(join(tmpdir(), 'gantry-bench-replicas-'));
const running = new Set<Program>();
let number = 0;
try {
  const balancer = await TcpBalancer.start();
  for (const drainSeconds of [5, 0]) await roll(balancer, drainSeconds);
  await balancer.stop();
} finally {
  for (const replica of running) await replica.signal('SIGKILL');
  await environment.stop();
  await rm(directory, { recursive: true, force: true });
}

/** Replaces replicas until every request was sent, and prints the outcomes of the requests. */
async function roll(balancer: TcpBalancer, drainSeconds: number): Promise<void> {
  let replicas = [await start(balancer, drainSeconds), await start(balancer, drainSeconds)];
  const headers = { authorization: `Bearer ${await signIn(balancer.url)}` };
  const clients = Array.from({ length: clientCount }, () => new KeepAliveClient(balancer.url));
  let left = requests;
  let restarts = 0;
  const load = Promise.all(
    clients.map(async (client, index) => {
      while (left-- > 0) {
        await client.send(requestOf(left, headers));
        await setTimeout(index === 0 ? longPauseMs : pauseMs);
      }
    }),
  );
  const isOver = load.then(() => true);
  while (!(await Promise.race([isOver, setTimeout(0, false)]))) {
    const [oldest, ...others] = replicas;
    replicas = [...others, await start(balancer, drainSeconds)];
    if (oldest === undefined) break;
    await oldest.signal('SIGTERM');
    balancer.remove(oldest.readyUrl);
    running.delete(oldest);
    restarts += 1;
  }
  const { responses, cut } = sumOf(clients);
  for (const client of clients) client.close();
  for (const replica of replicas) {
    await replica.signal('SIGKILL');
    balancer.remove(replica.readyUrl);
    running.delete(replica);
  }
  console.log(`\n${requests} requests over ${restarts} restarts, replicas that drain for ${drainSeconds} s`);
  console.log(`  responses  ${[...responses].map(([kind, count]) => `${count} ${kind}`).join(', ')}`);
  console.log(`  cut        ${cut.length}   ${drainSeconds === 0 ? 'baseline' : 'aim 0'}`);
  for (const line of cut.slice(0, 5)) console.log(`             ${line}`);
  refuseMissed(
    drainSeconds > 0 && (cut.length > 0 || [...responses.keys()].some((kind) => / [45]/.test(kind))),
  );
}

async function start(balancer: TcpBalancer, drainSeconds: number): Promise<Program> {
  const keys = join(directory, 'keys.json');
  await writeFile(keys, JSON.stringify(environment.bus.keys), { mode: 0o600 });
  const replica = Program.platform({
    NODE_ENV: 'production',
    DATABASE_URL: environment.databaseUrl,
    NATS_URL: environment.bus.url,
    GANTRY_NATS_KEYS: keys,
    GANTRY_JWT_SECRET: environment.jwtSecret,
    GANTRY_DATA_DIR: directory,
    GANTRY_STORAGE_DIR: join(directory, 'storage'),
    GANTRY_ROLES: 'api',
    GANTRY_BOOTSTRAP_EMAIL: credentials.email,
    GANTRY_BOOTSTRAP_PASSWORD: credentials.password,
    GANTRY_RATE_LIMIT_FACTOR: '1000',
    GANTRY_DRAIN_SECONDS: String(drainSeconds),
    PORT: '0',
    LOG_LEVEL: 'warn',
  });
  running.add(replica);
  await replica.start();
  await balancer.add(replica.readyUrl);
  return replica;
}

/** A token for a license of this round's own. */
async function signIn(url: string): Promise<string> {
  const login = async (more: object) => {
    const reply = await send(url, '/auth/login', undefined, { ...credentials, ...more });
    return (reply as { session: { access_token: string } }).session.access_token;
  };
  const { id } = (await send(url, '/api/admin/licenses', await login({}), {})) as { id: string };
  return login({ license_id: id });
}

/** Of twenty: fourteen reads, five POSTs and an upload. */
function requestOf(index: number, headers: Record<string, string>): RecordedRequest {
  const kind = index % 20;
  if (kind < 14) return { method: 'GET', path: '/api/fleet/instances?limit=25', headers };
  if (kind < 19)
    return {
      method: 'POST',
      path: '/api/fleet/clusters',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Cluster ${++number}` }),
    };
  return {
    method: 'POST',
    path: '/api/maps',
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\nBench\r\n--${boundary}\r\n` +
          'Content-Disposition: form-data; name="file"; filename="a.map"\r\n\r\n',
      ),
      files[index % files.length] ?? Buffer.alloc(0),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  };
}
