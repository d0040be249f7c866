// The machines of docs/patroni.md under traffic: primary, Patroni and standby are killed, and what was confirmed stays.
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startTestNats, type TestNats } from '../support/nats.ts';
import { missingPackages, PatroniMachines } from '../support/patroni.ts';
import { Program, writeAgentConfig } from '../support/processes.ts';
import { until } from '../support/until.ts';

const credentials = { email: 'admin@example.com', password: 'correct-horse-battery' };
/** Of a request, from docs/operations.md: its statements have so long, and a connection before them. */
const maxRequestMs = 50_000;
const readers = 3;
const writers = 4;

/** A file that receives the measured figures, one JSON value a line. */
const figuresFile = process.env['GANTRY_PATRONI_FIGURES'];

let directory: string;
let machines: PatroniMachines;
let nats: TestNats;
let platform: Program;
let agent: Program;
let url: string;
let token = '';
let instanceId: string;

const typedFile = () => join(directory, 'typed');
const typed = () =>
  existsSync(typedFile()) ? readFileSync(typedFile(), 'utf8').split('\n').filter(Boolean) : [];

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  return fetch(url + path, {
    method,
    headers: {
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await ask(method, path, body);
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

interface Reply {
  kind: 'read' | 'write';
  status: number;
  endedMs: number;
  tookMs: number;
}

/** Reads, and console commands of which each line is another; a command that is refused is sent again with its key. */
class Traffic {
  readonly #begunMs = performance.now();
  readonly #running: Promise<void>[] = [];
  readonly replies: Reply[] = [];
  /** Lines of commands that the platform has confirmed, by the id of the command. */
  readonly confirmed = new Map<string, string>();
  #isOver = false;

  constructor() {
    for (let n = 0; n < readers; n += 1) this.#running.push(this.#read());
    for (let n = 0; n < writers; n += 1) this.#running.push(this.#write());
  }

  get seconds(): number {
    return (performance.now() - this.#begunMs) / 1000;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  /** Waits for so many more replies of success of each kind. */
  async flows(count = 10): Promise<void> {
    const before = this.replies.length;
    await until(
      () => {
        const since = this.replies.slice(before);
        return (['read', 'write'] as const).every(
          (kind) => since.filter((reply) => reply.kind === kind && reply.status < 300).length >= count,
        );
      },
      'reads and writes that succeed',
      180_000,
    );
    const lines = typed().length;
    await until(() => typed().length > lines + count, 'commands that the agent carries out', 60_000);
  }

  /** Without successful reads or writes, from the last success before the first failure to the next success. */
  gapSeconds(kind: Reply['kind']): number {
    const ended = this.replies.filter((reply) => reply.kind === kind && reply.status < 300);
    const times = ended.map(({ endedMs }) => endedMs);
    return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0))) / 1000;
  }

  get figures() {
    const failed = this.replies.filter(({ status }) => status >= 300);
    const refusedMs = failed.map(({ endedMs }) => endedMs);
    return {
      reads: this.replies.filter(({ kind, status }) => kind === 'read' && status < 300).length,
      confirmed: this.confirmed.size,
      refused: failed.length,
      refusedSeconds:
        failed.length === 0 ? 0 : round((Math.max(...refusedMs) - Math.min(...refusedMs)) / 1000),
      readGapSeconds: round(this.gapSeconds('read')),
      writeGapSeconds: round(this.gapSeconds('write')),
      longestSeconds: round(Math.max(...this.replies.map(({ tookMs }) => tookMs)) / 1000),
      statuses: [...new Set(failed.map(({ status }) => status))],
    };
  }

  async #read(): Promise<void> {
    while (!this.#isOver) {
      await this.#measure('read', () => ask('GET', '/api/fleet/instances'));
      await pause(20);
    }
  }

  async #write(): Promise<void> {
    while (!this.#isOver) {
      const line = randomUUID();
      const headers = { 'idempotency-key': line };
      for (;;) {
        const response = await this.#measure('write', () =>
          ask('POST', `/api/instances/${instanceId}/console`, { line }, headers),
        );
        if (response?.status === 202) {
          this.confirmed.set((response.body as { id: string }).id, line);
          break;
        }
        if (this.#isOver) break;
        await pause(200);
      }
      await pause(50);
    }
  }

  async #measure(kind: Reply['kind'], send: () => Promise<Response>) {
    const sentMs = performance.now();
    const response = await send().catch(() => undefined);
    const body = await response?.json().catch(() => undefined);
    const endedMs = performance.now();
    this.replies.push({ kind, status: response?.status ?? 599, endedMs, tookMs: endedMs - sentMs });
    return response === undefined ? undefined : { status: response.status, body };
  }
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Nothing that was confirmed is lost, nothing is done twice, and no request takes longer than stated. */
async function examine(
  what: string,
  traffic: Traffic,
): Promise<Traffic['figures'] & { downSeconds: number }> {
  await traffic.end();
  const { primary = 'db1' } = await machines.state();
  const rows = await until(
    async () => {
      const found = await machines.query(primary, 'select id, status, finished_at from command');
      const confirmed = found.filter(({ id }) => traffic.confirmed.has(String(id)));
      return confirmed.every((row) => row['finished_at'] !== null) && found;
    },
    'the end of every command',
    120_000,
  );
  const known = new Set(rows.map(({ id }) => id));
  const lost = [...traffic.confirmed.keys()].filter((id) => !known.has(id));
  const lines = typed();
  const repeated = lines.filter((line, index) => lines.indexOf(line) !== index);
  // The agent typed these lines; nothing of this server confirms what it made of them.
  const done = rows.filter(({ id, status }) => status === 'unconfirmed' && traffic.confirmed.has(String(id)));
  const untyped = done.filter(({ id }) => !lines.includes(traffic.confirmed.get(String(id)) ?? ''));
  const { figures } = traffic;
  const downSeconds = Math.max(figures.readGapSeconds, figures.writeGapSeconds);
  const results = {
    what,
    ...figures,
    lost: lost.length,
    repeated: repeated.length,
    done: done.length,
  };
  if (figuresFile !== undefined) appendFileSync(figuresFile, `${JSON.stringify(results)}\n`);
  expect({ lost, repeated, untyped }).toEqual({ lost: [], repeated: [], untyped: [] });
  expect(figures.longestSeconds).toBeLessThan(maxRequestMs / 1000);
  // 409: the first request with that key still waits for its commit.
  expect(figures.statuses.filter((status) => ![409, 503].includes(status))).toEqual([]);
  return { ...figures, downSeconds };
}

const describeWhere =
  missingPackages.length === 0 || process.env['CI'] !== undefined ? describe : describe.skip;
const needs = missingPackages.length === 0 ? '' : ` (apt-get install ${missingPackages.join(' ')})`;

describeWhere(`PostgreSQL with Patroni${needs}`, () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gantry-machines-'));
    [machines, nats] = await Promise.all([PatroniMachines.start(), startTestNats()]);
    await writeFile(join(directory, 'keys.json'), JSON.stringify(nats.keys), { mode: 0o600 });
    platform = Program.platform({
      ...machines.platformSettings,
      NATS_URL: nats.url,
      GANTRY_NATS_KEYS: join(directory, 'keys.json'),
      GANTRY_BUS_PREFIX: nats.prefix,
      GANTRY_JWT_SECRET: 'a secret of the tests that is long enough',
      GANTRY_DATA_DIR: join(directory, 'platform'),
      GANTRY_BOOTSTRAP_EMAIL: credentials.email,
      GANTRY_BOOTSTRAP_PASSWORD: credentials.password,
      GANTRY_HEARTBEAT_SECONDS: '2',
      GANTRY_RATE_LIMIT_FACTOR: '1000',
      PORT: '0',
      LOG_LEVEL: 'warn',
    });
    url = await platform.start();
    await signIn();
    const license = await call<{ companion_token: string }>('POST', '/api/admin/licenses', {});
    await signIn();
    const program = `process.stdin.on('data', (text) => require('fs').appendFileSync(${JSON.stringify(typedFile())}, text))`;
    await writeAgentConfig(join(directory, 'agent.json'), [
      {
        name: 'main',
        command: process.execPath,
        args: ['-e', program],
        autostart: true,
        ready_after_seconds: 0,
      },
    ]);
    agent = Program.agent({
      GANTRY_URL: url,
      GANTRY_COMPANION_TOKEN: license.companion_token,
      GANTRY_AGENT_CONFIG: join(directory, 'agent.json'),
      GANTRY_AGENT_STATE: join(directory, 'agent'),
    });
    await agent.start();
    instanceId = await until(async () => {
      const { data } = await call<{ data: { id: string; state: string }[] }>('GET', '/api/fleet/instances');
      return data.find(({ state }) => state === 'running')?.id;
    }, 'the running instance');
  }, 600_000);

  afterAll(async () => {
    const steps = [
      () => ask('POST', `/api/instances/${instanceId}/stop`, undefined, { prefer: 'wait=10' }),
      () => agent.signal('SIGTERM'),
      () => platform.signal('SIGKILL'),
      () => machines.stop(),
      () => nats.stop(),
      () => rm(directory, { recursive: true, force: true }),
    ];
    const failures: unknown[] = [];
    // An earlier failure must not leave others running.
    for (const step of steps) await step().catch((error: unknown) => failures.push(error));
    expect(failures).toEqual([]);
  });

  async function signIn(): Promise<void> {
    const { session } = await call<{ session: { access_token: string } }>('POST', '/auth/login', credentials);
    token = session.access_token;
  }

  /** Traffic during `work`; a failure shows what the machines wrote. */
  async function under(what: string, work: (traffic: Traffic) => Promise<void>) {
    await signIn();
    const traffic = new Traffic();
    try {
      await traffic.flows();
      await work(traffic);
      return await examine(what, traffic);
    } catch (error) {
      await traffic.end();
      throw new Error(`${machines.outputs}\n${platform.output.slice(-6_000)}`, { cause: error });
    }
  }

  it('loses its primary with the whole machine, and nothing that was confirmed', async () => {
    const { primary, standby } = await machines.untilSynchronous();
    const figures = await under('primary killed', async (traffic) => {
      await machines.killMachine(primary);
      await until(async () => (await machines.state()).primary === standby, 'the next primary', 120_000);
      await traffic.flows();
    });
    expect(figures.downSeconds).toBeLessThan(60);
    expect(figures.refused).toBeGreaterThan(0);
    await machines.startMachine(primary);
    expect(await machines.untilSynchronous()).toEqual({ primary: standby, standby: primary });
  }, 600_000);

  it('loses Patroni alone: the former primary that still runs confirms nothing', async () => {
    const { primary, standby } = await machines.untilSynchronous();
    const figures = await under('Patroni of the primary killed', async (traffic) => {
      await machines.killPatroni(primary);
      await until(async () => (await machines.state()).primary === standby, 'the next primary', 120_000);
      await traffic.flows();
    });
    expect(figures.downSeconds).toBeLessThan(60);
    machines.startPatroni(primary);
    expect(await machines.untilSynchronous()).toEqual({ primary: standby, standby: primary });
  }, 600_000);

  it('loses its standby: writes wait until Patroni lets the primary continue alone', async () => {
    const { primary, standby } = await machines.untilSynchronous();
    const figures = await under('standby killed', async (traffic) => {
      await machines.killMachine(standby);
      await until(
        async () => (await machines.state()).synchronous === undefined,
        'the end of synchronous replication',
        120_000,
      );
      await traffic.flows();
    });
    expect(figures.readGapSeconds).toBeLessThan(maxRequestMs / 1000);
    await machines.startMachine(standby);
    expect(await machines.untilSynchronous()).toEqual({ primary, standby });
  }, 600_000);

  it('with synchronous_mode_strict refuses writes without a standby, still reads, and continues with it', async () => {
    await machines.configure('synchronous_mode_strict=true');
    const { primary, standby } = await machines.untilSynchronous();
    await under('standby killed, strict', async (traffic) => {
      await machines.killMachine(standby);
      const killedAt = traffic.seconds;
      // Longer than a statement may take, twice: sessions that wait for the standby must not use up all connections.
      await until(() => traffic.seconds > killedAt + 80, 'eighty seconds', 100_000);
      const lately = traffic.replies.filter(({ endedMs }) => endedMs > performance.now() - 30_000);
      expect(lately.filter(({ kind, status }) => kind === 'write' && status < 300)).toEqual([]);
      expect(lately.filter(({ kind, status }) => kind === 'read' && status < 300).length).toBeGreaterThan(10);
      const [sessions] = await machines.query(primary, 'select count(*)::int as count from pg_stat_activity');
      if (figuresFile !== undefined) appendFileSync(figuresFile, `${JSON.stringify({ sessions })}\n`);
      expect(Number(sessions?.['count'])).toBeLessThan(120);
      await machines.startMachine(standby);
      await traffic.flows();
    });
    await machines.configure('synchronous_mode_strict=false');
  }, 600_000);

  it('loses etcd on every machine, and the primary stays', async () => {
    const { primary } = await machines.untilSynchronous();
    const all = ['db1', 'db2', 'app'] as const;
    const figures = await under('etcd killed', async (traffic) => {
      for (const machine of all) await machines.killEtcd(machine);
      const killedAt = traffic.seconds;
      await until(() => traffic.seconds > killedAt + 40, 'forty seconds', 60_000);
      await traffic.flows();
      await Promise.all(all.map((machine) => machines.startEtcd(machine)));
    });
    expect(figures.refused).toBe(0);
    expect((await machines.untilSynchronous()).primary).toBe(primary);
  }, 600_000);
});
