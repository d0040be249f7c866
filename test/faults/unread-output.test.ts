// Programs whose standard output is a full pipe without a reader: they start, work, and end on request.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { startTestNats } from '../support/nats.ts';
import { compileCache } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { jwtSecret } from '../support/world.ts';

const root = resolve(import.meta.dirname, '../..');

let directory: string;
let child: ChildProcess;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-unread-'));
});

afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  await rm(directory, { recursive: true, force: true });
});

/** Runs a program both of whose outputs are one pipe, which is full from the start. */
function launch(program: string, environment: Record<string, string>, ...args: string[]): void {
  const { PATH, HOME, XDG_CACHE_HOME, TMPDIR } = process.env;
  const fillAndRun = 'dd if=/dev/zero bs=4096 count=4096 oflag=nonblock 2>/dev/null; exec "$0" "$@" 2>&1';
  child = spawn('sh', ['-c', fillAndRun, process.execPath, join(root, program), ...args], {
    cwd: root,
    env: { PATH, HOME, XDG_CACHE_HOME, TMPDIR, NODE_COMPILE_CACHE: compileCache, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // Never read: it stays paused.
  child.stdout?.pause();
}

/** The status of its response; undefined without one. */
const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => undefined,
  );

async function end(): Promise<number | null> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
  return child.exitCode;
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

it.each(['api,ingest,jobs', 'api', 'ingest', 'jobs'])(
  'the platform with the roles %s, and counts lost lines',
  async (roles) => {
    const [database, nats] = await Promise.all([createTestDatabase(), startTestNats()]);
    try {
      const keys = join(directory, 'keys.json');
      await writeFile(keys, JSON.stringify(nats.keys), { mode: 0o600 });
      const port = await freePort();
      launch('src/main.ts', {
        DATABASE_URL: database.url,
        NATS_URL: nats.url,
        GANTRY_NATS_KEYS: keys,
        GANTRY_BUS_PREFIX: nats.prefix,
        GANTRY_JWT_SECRET: jwtSecret,
        GANTRY_DATA_DIR: directory,
        GANTRY_STORAGE_DIR: directory,
        GANTRY_PUBLIC_URL: 'http://127.0.0.1:3000',
        GANTRY_ROLES: roles,
        GANTRY_HEALTH_PORT: String(port),
        GANTRY_STOP_SECONDS: '60',
        PORT: '0',
        LOG_LEVEL: 'trace',
      });
      await until(
        async () => (await statusOf(`http://127.0.0.1:${port}/readyz`)) === 200,
        'being ready',
        60_000,
      );
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      expect(metrics).toMatch(/^gantry_log_lines_lost_total \d+$/m);
      expect(await end()).toBe(0);
    } finally {
      await nats.stop();
      await database.drop();
    }
  },
  120_000,
);

it('the agent', async () => {
  let calls = 0;
  const platform = createServer((request, response) => {
    calls += 1;
    request.resume();
    response.writeHead(503).end();
  });
  try {
    const config = join(directory, 'gantry-agent.yaml');
    await writeFile(config, '{"instances": []}');
    launch(
      'agent/src/main.ts',
      {
        GANTRY_URL: `http://127.0.0.1:${await listening(platform)}`,
        GANTRY_COMPANION_TOKEN: 'gantry_companion_of_nobody',
        GANTRY_AGENT_STATE: join(directory, 'state'),
      },
      '--config',
      config,
    );
    await until(() => calls > 1, 'a second attempt to sign in', 60_000);
    expect(await end()).toBe(0);
  } finally {
    platform.closeAllConnections();
    platform.close();
  }
});

it('the local manager', async () => {
  const port = await freePort();
  launch('local-manager/src/main.ts', {
    LOCAL_MANAGER_PORT: String(port),
    LOCAL_MANAGER_HOME: join(directory, 'home'),
    LOCAL_MANAGER_LOG_LEVEL: 'trace',
  });
  await until(() => statusOf(`http://127.0.0.1:${port}/`), 'a response', 60_000);
  expect(await end()).toBe(0);
});
