// The platform while the network to PostgreSQL or NATS is silent, drops connections or half-closes them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { roles } from '../../src/config/index.ts';
import { startPlatform, type Platform } from '../../src/platform.ts';
import type { ReadinessReport } from '../../src/process/readiness.ts';
import { createTestDatabase, socketOf, type TestDatabase } from '../support/database.ts';
import { testLog } from '../support/error-log.ts';
import { readMail } from '../support/mail.ts';
import { startTestNats, type TestNats } from '../support/nats.ts';
import { Program } from '../support/processes.ts';
import { RelayHost } from '../support/relay-host.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { jwtSecret } from '../support/world.ts';
import { patient } from '../support/patience.ts';

const silenceMs = 2_000;
const limits = { connectMs: 3_000, statementMs: 1_500, silenceMs, keepAliveMs: 1_000 };

let directory: string;
let database: TestDatabase;
let nats: TestNats;
let toDatabase: TcpProxy;
let toBus: TcpProxy;
let platform: Platform;
let number = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-network-'));
  [database, nats] = await Promise.all([createTestDatabase(), startTestNats()]);
  toDatabase = await TcpProxy.start({ path: socketOf(database) });
  toBus = await TcpProxy.start({ host: '127.0.0.1', port: Number(new URL(nats.url).port) });
  platform = await start();
});

afterAll(async () => {
  await platform.stop();
  await Promise.all([toDatabase.stop(), toBus.stop()]);
  await nats.stop();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

function databaseUrlAt(address: string, port: number): string {
  const url = new URL(database.url);
  url.hostname = address;
  url.port = String(port);
  return url.href;
}

const busUrl = () => `nats://127.0.0.1:${toBus.port}`;

function start(databaseUrl = databaseUrlAt('127.0.0.1', toDatabase.port)): Promise<Platform> {
  return startPlatform({
    databaseUrl,
    databaseLimits: limits,
    watchdog: { maxQuietMs: 20_000, checkEveryMs: 500 },
    bus: { ...nats, url: busUrl(), agentUrls: [busUrl()], pingMs: 500 },
    allowOpenBus: false,
    jwtSecret,
    encryptionSecret: jwtSecret,
    mail: { smtpUrl: undefined, from: 'gantry@example.com', directory },
    storage: { directory },
    roles: new Set(roles),
    host: '127.0.0.1',
    port: 0,
    heartbeatIntervalSeconds: 10,
    bootstrap: undefined,
    validateReplies: true,
    log: testLog(),
  });
}

async function readiness(of = platform): Promise<{ status: number; report: ReadinessReport }> {
  const response = await fetch(`${of.url ?? ''}/readyz`);
  return { status: response.status, report: (await response.json()) as ReadinessReport };
}

const isReady = async (of = platform) => (await readiness(of)).status === 200;

/** Puts a job into the queue, bypassing the proxy, whose message arrives if the queue works. */
async function expectJobsToRun(): Promise<void> {
  const email = `user-${++number}@example.com`;
  await database.query('insert into user_account (email, password_hash) values ($1, $2)', [email, 'none']);
  await database.query(
    `select graphile_worker.add_job('start-password-reset', json_build_object('email', $1::text))`,
    [email],
  );
  await until(async () => (await readMail(directory, email)).length > 0, 'the message', 30_000);
}

/** All frequent periodic work has succeeded since then. */
async function expectWorkToRepeat(since: number, of = platform): Promise<void> {
  const seldom = [
    'sweep the storage',
    'limit bus connections',
    'watch for brokers that start',
    'look for unreadable secrets',
    'ping console sockets',
    'roll stats up',
    'watch queues',
    'mark unused sandboxes',
  ];
  let missing: [string, number][] = [];
  const haveSucceeded = async () => {
    const { work } = (await readiness(of)).report;
    const sinceSeconds = (performance.now() - since) / 1000;
    missing = Object.entries(work).filter(([name, age]) => !seldom.includes(name) && age > sinceSeconds);
    return missing.length === 0;
  };
  await until(haveSucceeded, 'the success of all work', 30_000).catch((error: unknown) => {
    throw new Error(`no success since then: ${JSON.stringify(missing)}`, { cause: error });
  });
}

const faults = ['stall', 'forget', 'reset', 'halfClose'] as const;

describe.each(faults)('when connections to PostgreSQL %s', (fault) => {
  it('works again by itself once the server is reachable', async () => {
    await expectJobsToRun();
    toDatabase[fault]();
    if (fault === 'stall') {
      await until(async () => !(await isReady()), 'not being ready');
      expect((await readiness()).report.checks.database).not.toBe('ok');
      // Connections opened meanwhile hang as well: only new ones work.
      toDatabase.forget();
    }
    const faultEnded = performance.now();
    await until(() => isReady(), 'being ready again', 30_000);
    await expectJobsToRun();
    await expectWorkToRepeat(faultEnded);
    const [{ open } = { open: 0 }] = await database.query<{ open: number }>(
      `select count(*)::int as open from pg_stat_activity where datname = current_database()`,
    );
    expect(open).toBeLessThan(50);
  });
});

describe.each(faults)('when connections to NATS %s', (fault) => {
  it('is ready again by itself once the server is reachable', async () => {
    const lanes = toBus.connections;
    toBus[fault]();
    if (fault === 'stall' || fault === 'forget') {
      await until(async () => !(await isReady()), 'not being ready', 15_000);
      const { checks } = (await readiness()).report;
      expect(checks).toEqual({
        database: 'ok',
        message_bus: expect.not.stringMatching(/^ok$/),
        work: 'ok',
        process: 'ok',
      });
      toBus.forget();
    }
    await until(async () => toBus.connections >= lanes && (await isReady()), 'being ready again', 30_000);
  });
});

/** Makes both servers reachable again, even after a failed test. */
async function whileNothingReplies(work: () => Promise<void>): Promise<void> {
  toDatabase.stall();
  toBus.stall();
  try {
    await work();
  } finally {
    toDatabase.forget();
    toBus.forget();
  }
}

it('stops within its time while neither PostgreSQL nor NATS reply', async () => {
  try {
    await whileNothingReplies(async () => {
      const begun = performance.now();
      await platform.stop();
      // About half of it on an idle machine; without limits it would never end.
      expect(performance.now() - begun).toBeLessThan(patient(40_000));
    });
  } finally {
    platform = await start();
  }
  await expectJobsToRun();
});

it('ends in its time on request while neither PostgreSQL nor NATS reply, with the default limits', async () => {
  const keysFile = join(directory, 'keys.json');
  await writeFile(keysFile, JSON.stringify(nats.keys), { mode: 0o600 });
  const program = Program.platform({
    DATABASE_URL: databaseUrlAt('127.0.0.1', toDatabase.port),
    NATS_URL: busUrl(),
    GANTRY_NATS_KEYS: keysFile,
    GANTRY_JWT_SECRET: jwtSecret,
    GANTRY_DATA_DIR: directory,
    GANTRY_STOP_SECONDS: '2',
    PORT: '0',
  });
  try {
    await program.start();
    await whileNothingReplies(async () => {
      const begun = performance.now();
      const ended = program.ended();
      await program.signal('SIGTERM');
      // Well below the default limits.
      expect(performance.now() - begun).toBeLessThan(patient(8_000));
      expect(await ended).toBe(1);
    });
    expect(program.output).toContain('stopping took too long');
  } finally {
    await program.signal('SIGKILL');
  }
});

const whereRoot = process.getuid?.() === 0 ? it : it.skip;

whereRoot(
  'works again when the machine of PostgreSQL has lost power and is back',
  async () => {
    const host = await RelayHost.start(socketOf(database));
    let other: Platform | undefined;
    try {
      const own = (other = await start(databaseUrlAt(host.address, host.port)));
      await host.losePower();
      await until(async () => !(await isReady(own)), 'not being ready', 20_000);
      await host.powerOn();
      const isBackSince = performance.now();
      await until(() => isReady(own), 'being ready again', 40_000);
      await expectWorkToRepeat(isBackSince, own);
    } finally {
      await other?.stop();
      await host.stop();
    }
  },
  120_000,
);
