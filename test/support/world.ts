// A whole platform for a test file: its own database, its own bus, listening on a port of its own.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import argon2 from 'argon2';
import { pino, type Logger } from 'pino';
import request, { type Test } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { busPath } from '../../src/bus/websocket-relay.ts';
import type { Contract } from '../../src/app.ts';
import { roles, type HealthPort, type Role } from '../../src/config/index.ts';
import type { SandboxSettings } from '../../src/config/sandbox-settings.ts';
import type { PaymentSettings } from '../../src/payments/settings.ts';
import { defaultPayments } from '../../src/payments/settings.ts';
import type { OutboundSettings } from '../../src/outbound/outbound.ts';
import { buildPanel, builtPanel } from '../../src/pages/panel/build.ts';
import type { KindDefinition } from '../../src/plugin-configs/kind.ts';
import type { JobIntervals } from '../../src/jobs/chores.ts';
import { startPlatform, type Platform } from '../../src/platform.ts';
import type { PlatformOptions } from '../../src/process-roles/options.ts';
import type { Scanner } from '../../src/services/maps/scanner.ts';
import type { StorageSettings } from '../../src/storage/open-storage.ts';
import { createTestDatabase, type TestDatabase, patientLimits } from './database.ts';
import { testLog } from './error-log.ts';
import { faultyEvents } from './events.ts';
import { readMail, type ReceivedMail } from './mail.ts';
import { startTestNats, type TestNats } from './nats.ts';
import { until } from './until.ts';

type Schemas = components['schemas'];
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export const adminEmail = 'admin@example.com';
export const password = 'correct-horse-battery';
export const jwtSecret = 'a secret of the tests that is long enough';

/** A user signed in to one license. */
export interface Member {
  email: string;
  token: string;
  session: Schemas['Session'];
}

/** A license with its owner. */
export interface Tenant {
  license: Schemas['CreatedLicense'];
  owner: Member;
}

export interface WorldOptions {
  roles?: Role[];
  /** The release of the agent that hosts install; none unless given. */
  agentReleaseDirectory?: string;
  /** Where the platform listens; on loopback unless given. */
  host?: string;
  /** Where health and metrics are served apart from the API; nowhere unless given. */
  health?: HealthPort;
  /** Returns the address of a pooler in front of the database. */
  poolerTo?: (databaseUrl: string) => Promise<string>;
  /** The bus, which the caller stops; a server of the world's own unless given. */
  nats?: TestNats;
  /** Sends agents to the bus over the platform's own port. */
  givesRelay?: boolean;
  heartbeatIntervalSeconds?: number;
  /** Intervals of jobs, where a suite would mostly wait for them. */
  jobIntervals?: JobIntervals;
  log?: Logger;
  /** Leaves the installation empty, as it is before anybody has used the setup link. */
  withoutFirstUser?: boolean;
  /** A mail server; without it messages are in files, see `mailTo`. */
  smtpUrl?: string;
  /** Multiplies the rate limits; without it they are out of every test's reach. */
  rateLimitFactor?: number;
  corsOrigins?: string[];
  trustProxy?: number | string[];
  /** Where uploaded files are kept; a directory of the world's own unless given. */
  storage?: StorageSettings;
  scanner?: Scanner;
  /** Another contract than the platform's own. */
  contract?: Contract;
  /** Other kinds of plugin configurations than those there are. */
  pluginKinds?: readonly KindDefinition[];
  /** Where Pushover is; where it is for everybody unless given. */
  pushoverUrl?: string;
  /** Where requests to the outside may go; to this machine too unless given. */
  outbound?: OutboundSettings;
  /** Who may create sandboxes; anybody, up to a hundred, unless given. */
  sandboxes?: Partial<SandboxSettings>;
  /** Who takes payments; the sandbox unless given. */
  payments?: Partial<PaymentSettings>;
  /** Serves the web panel, which is built first if it has changed. */
  servesPanel?: boolean;
}

export class World {
  readonly platform: Platform;
  readonly database: TestDatabase;
  readonly nats: TestNats;
  readonly #admin: Member | undefined;
  readonly #start: (changes?: Partial<PlatformOptions>) => Promise<Platform>;
  /** Where messages are written to. */
  readonly mailDirectory: string;
  #extra: Platform[] = [];
  #closers: (() => Promise<unknown>)[] = [];
  #number = 0;

  private constructor(
    platform: Platform,
    database: TestDatabase,
    nats: TestNats,
    admin: Member | undefined,
    start: (changes?: Partial<PlatformOptions>) => Promise<Platform>,
    mailDirectory: string,
  ) {
    this.platform = platform;
    this.database = database;
    this.nats = nats;
    this.#admin = admin;
    this.#start = start;
    this.mailDirectory = mailDirectory;
  }

  static async create(options: WorldOptions = {}): Promise<World> {
    const [database, nats] = await Promise.all([createTestDatabase(), options.nats ?? startTestNats()]);
    if (!options.withoutFirstUser) await createAccount(database, adminEmail, true);
    const mailDirectory = await mkdtemp(join(tmpdir(), 'gantry-mail-'));
    const storageDirectory = join(mailDirectory, 'storage');
    const agentUrls = nats.url.split(',');
    const databaseUrl = (await options.poolerTo?.(database.url)) ?? database.url;
    const built = options.servesPanel ? buildPanel(pino({ level: 'error' })) : undefined;
    await built;
    const start = (changes: Partial<PlatformOptions> = {}) =>
      startPlatform({
        databaseUrl,
        databaseLimits: patientLimits,
        bus: { ...nats, agentUrls },
        allowOpenBus: false,
        jwtSecret,
        encryptionSecret: jwtSecret,
        mail: { smtpUrl: options.smtpUrl, from: 'Gantry <gantry@example.com>', directory: mailDirectory },
        storage: options.storage ?? { directory: storageDirectory },
        ...(options.agentReleaseDirectory !== undefined && {
          agentReleaseDirectory: options.agentReleaseDirectory,
        }),
        ...(options.scanner && { scanner: options.scanner }),
        ...(options.contract && { contract: options.contract }),
        ...(options.pluginKinds && { pluginKinds: options.pluginKinds }),
        ...(options.pushoverUrl !== undefined && { pushoverUrl: options.pushoverUrl }),
        outbound: options.outbound ?? { allow: ['127.0.0.0/8'], allowsHttp: true },
        sandboxes: { isEnabled: true, maxCount: 100, ...options.sandboxes },
        payments: { ...defaultPayments, allowsSandbox: true, ...options.payments },
        ...(built && { panel: { directory: builtPanel, built } }),
        roles: new Set(options.roles ?? roles),
        host: options.host ?? '127.0.0.1',
        port: 0,
        health: options.health,
        ...(options.jobIntervals && { jobIntervals: options.jobIntervals }),
        heartbeatIntervalSeconds: options.heartbeatIntervalSeconds ?? 10,
        bootstrap: undefined,
        validateReplies: true,
        rateLimitFactor: options.rateLimitFactor ?? 1_000,
        corsOrigins: options.corsOrigins ?? [],
        trustProxy: options.trustProxy ?? 0,
        log: options.log ?? testLog(),
        ...changes,
      });
    const platform = await start();
    if (options.givesRelay) agentUrls.splice(0, 1, `${(platform.url ?? '').replace('http', 'ws')}${busPath}`);
    const admin = options.withoutFirstUser ? undefined : await signIn(platform.url ?? '', adminEmail);
    if (admin !== undefined) await stepUp(database, admin);
    return new World(platform, database, nats, admin, start, mailDirectory);
  }

  /** Where uploaded files are, unless the world was given another directory. */
  get storageDirectory(): string {
    return join(this.mailDirectory, 'storage');
  }

  get url(): string {
    return this.platform.url ?? '';
  }

  /** The first user, a super admin without a license. */
  get admin(): Member {
    if (this.#admin === undefined) throw new Error('this world has no first user');
    return this.#admin;
  }

  /** Another replica on the same database and bus, with those settings changed. */
  async addReplica(changes: Partial<PlatformOptions> = {}): Promise<Platform> {
    const replica = await this.#start(changes);
    this.#extra.push(replica);
    return replica;
  }

  /** Calls `close` when the world is closed, for what a failing test leaves open. */
  atEnd(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    await Promise.all(this.#closers.map((close) => close()));
    for (const platform of [this.platform, ...this.#extra]) await platform.stop();
    await this.nats.stop();
    // The events of every suite fit the contract.
    const faulty = await faultyEvents(this.database);
    await this.database.drop();
    await rm(this.mailDirectory, { recursive: true, force: true });
    if (Object.keys(faulty).length > 0)
      throw new Error(`events do not fit the contract: ${JSON.stringify(faulty, null, 1).slice(0, 5_000)}`);
  }

  /** Every message to that address so far, oldest first. Messages are sent by jobs: the world needs that role. */
  mailsTo(email: string): Promise<ReceivedMail[]> {
    return readMail(this.mailDirectory, email);
  }

  /** The first message to that address, past those to skip, once it is there. */
  mailTo(email: string, skip = 0): Promise<ReceivedMail> {
    return until(async () => (await this.mailsTo(email))[skip], `a message to ${email}`);
  }

  /** A request, with the member's token if one is given. */
  call(method: Method, path: string, member?: { token: string }): Test {
    const test = request(this.url)[method](path);
    return member === undefined ? test : test.set('Authorization', `Bearer ${member.token}`);
  }

  async createTenant(input: Schemas['LicenseCreate'] = {}): Promise<Tenant> {
    const email = input.owner_email ?? (await this.createUser('owner'));
    const { body } = await this.call('post', '/api/admin/licenses', this.admin)
      .send({ ...input, owner_email: email })
      .expect(201);
    return { license: body as Schemas['CreatedLicense'], owner: await this.signInConfirmed(email) };
  }

  /** A new user of the tenant's license, with that role. */
  async addMember(tenant: Tenant, role: string): Promise<Member> {
    const email = await this.createUser('member');
    await this.join(tenant, email, role);
    return this.signInConfirmed(email);
  }

  /** Signs a user in and lets the session do what requires a step-up, for as long as tests run. */
  async signInConfirmed(email: string): Promise<Member> {
    const member = await signIn(this.url, email);
    await stepUp(this.database, member);
    return member;
  }

  /** Makes a user who exists a member of the tenant's license too. */
  async join({ license }: Tenant, email: string, role: string): Promise<void> {
    await this.database.query(
      `insert into membership (license_id, user_id, role_id)
       select $1, user_account.id, role.id from user_account, role
       where user_account.email = $2 and role.license_id = $1 and role.name = $3`,
      [license.id, email, role],
    );
  }

  /** A new user of the tenant's license, whose role has these permissions and no others. */
  async addMemberWith(tenant: Tenant, permissions: Record<string, boolean>): Promise<Member> {
    const role = `Role ${++this.#number}`;
    await this.database.query('insert into role (license_id, name, permissions) values ($1, $2, $3)', [
      tenant.license.id,
      role,
      permissions,
    ]);
    return this.addMember(tenant, role);
  }

  /** Creates a user without a license and returns the e-mail address. All users have the same password. */
  async createUser(kind = 'user'): Promise<string> {
    const email = `${kind}-${++this.#number}-${randomUUID().slice(0, 8)}@example.com`;
    await createAccount(this.database, email);
    return email;
  }

  /** A value from /metrics; 0 while nothing was counted under these labels. */
  async metric(name: string, labels: Record<string, string> = {}, url = this.url): Promise<number> {
    const { text } = await request(url).get('/metrics').expect(200);
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const line = text
      .split('\n')
      .find(
        (item) =>
          item.startsWith(name) &&
          /^[{ ]/.test(item.slice(name.length)) &&
          wanted.every((label) => item.includes(label)),
      );
    return line === undefined ? 0 : Number(line.slice(line.lastIndexOf(' ')));
  }
}

/** Cheap to verify: a sign-in costs what the platform's own code costs. */
let passwordHash: Promise<string> | undefined;

async function createAccount(database: TestDatabase, email: string, isSuperAdmin = false): Promise<void> {
  passwordHash ??= argon2.hash(password, { memoryCost: 8, timeCost: 2, parallelism: 1 });
  await database.query(
    'insert into user_account (email, password_hash, is_super_admin) values ($1, $2, $3)',
    [email, await passwordHash, isSuperAdmin],
  );
}

export async function signIn(url: string, email: string): Promise<Member> {
  const { body } = await request(url).post('/auth/login').send({ email, password }).expect(200);
  const { session } = body as Schemas['SignInResult'];
  if (session === null) throw new Error('the user has a second factor');
  return { email, token: session.access_token, session };
}

async function stepUp(database: TestDatabase, { token }: Member): Promise<void> {
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sid: string;
  };
  await database.query(`update user_session set stepped_up_until = now() + interval '1 day' where id = $1`, [
    sid,
  ]);
}
