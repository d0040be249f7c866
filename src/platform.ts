// Puts the platform together from its settings and takes it apart again, in the order that loses nothing.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createApp, type Contract } from './app.ts';
import { Announcements } from './bus/announcements.ts';
import { AgentCredentials } from './bus/agent-credentials.ts';
import { Bus } from './bus/bus.ts';
import { Heartbeats } from './bus/consumers/heartbeats.ts';
import { startConsumers } from './bus/consumers/index.ts';
import type { BusKeys } from './bus/keys.ts';
import { ConfigError, type Role } from './config.ts';
import { Contexts } from './context.ts';
import { connectDatabase, type DatabaseConnection } from './database/connection.ts';
import { migrate } from './database/migrate.ts';
import { PlatformScope } from './database/platform-scope.ts';
import { Reader } from './database/reader.ts';
import { TenantScope } from './database/tenant-scope.ts';
import { Transactions } from './database/transactions.ts';
import { startJobs } from './jobs/runner.ts';
import { addressOf, drain, listen } from './listening.ts';
import { createMailer, type MailSettings } from './mail/mailer.ts';
import { Metrics } from './metrics.ts';
import { startPeriodic } from './periodic.ts';
import type { BusState, PoolState } from './services/admin-health.ts';
import { AgentAccess } from './services/agents.ts';
import type { AccessChange } from './services/auth/access-changes.ts';
import { AccessTokens } from './services/auth/access-tokens.ts';
import { ApiKeyPrincipals } from './services/auth/api-key-principals.ts';
import { provideFirstUser, type FirstUser } from './services/auth/first-user.ts';
import { PasswordResets } from './services/auth/password-changes.ts';
import { Passwords } from './services/auth/passwords.ts';
import { LastingAccess } from './services/auth/lasting-access.ts';
import { Principals } from './services/auth/principals.ts';
import { createSecurity } from './services/auth/schemes.ts';
import { BackupReports } from './services/backups/reports.ts';
import { BackupRotation } from './services/backups/rotation.ts';
import { BusRevocations } from './services/bus-revocations.ts';
import { CommandRelay } from './services/command-relay.ts';
import type { CommandEnd } from './services/commands.ts';
import { asksForWebSocket, startConsoleGateway } from './services/console/gateway.ts';
import { AgentReports } from './services/agent-reports.ts';
import { IdempotencyKeys } from './services/idempotency.ts';
import { createServices } from './services/index.ts';
import { DueSchedules } from './services/schedules/due-schedules.ts';
import { BanLifting } from './services/players/ban-lifting.ts';
import { Accounts } from './services/rate-limits/accounts.ts';
import { Limiter } from './services/rate-limits/limiter.ts';
import { MailOut, Postman } from './services/mail.ts';

/** Argon2 takes a core for tens of milliseconds; more at once would starve the rest of the process. */
const passwordHashesAtOnce = 2;

export interface PlatformOptions {
  databaseUrl: string;
  bus: { url: string; agentUrls: string[]; keys: BusKeys; prefix: string };
  /** Takes a bus that checks no credentials: anybody who reaches it can pass for any agent. */
  allowOpenBus: boolean;
  jwtSecret: string;
  /** Seals what the database keeps and nobody may read there. */
  sealingSecret: string;
  mail: MailSettings;
  /** How the outside reaches the platform; the address that it listens on unless given. */
  publicUrl?: string | undefined;
  roles: ReadonlySet<Role>;
  host: string;
  port: number;
  heartbeatIntervalSeconds: number;
  bootstrap: { email: string; password: string } | undefined;
  /** Web pages of these origins may call the API; none unless given. */
  corsOrigins?: readonly string[];
  /** Proxies in front, as a number or by address; none unless given. */
  trustProxy?: number | readonly string[];
  /** Multiplies what the rate limits allow. */
  rateLimitFactor?: number;
  /** Passwords that are hashed at the same time. */
  passwordHashesAtOnce?: number;
  validateReplies: boolean;
  /** Another contract than the platform's own, for measurements. */
  contract?: Contract;
  log: Logger;
}

export interface Platform {
  /** Where it listens; undefined without the role `api`. */
  url: string | undefined;
  firstUser: FirstUser;
  stop(): Promise<void>;
}

export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { databaseUrl, log, roles } = options;
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) {
      await close().catch((error: unknown) => log.error({ err: error }, 'stopping'));
    }
  };
  try {
    const database = await connectDatabase({ url: databaseUrl, log });
    closers.push(() => database.close());
    await migrate(database, databaseUrl, log);
    const transactions = new Transactions(database.orm, log);
    const bus = await naming(
      'NATS_URL',
      Bus.connect({ ...options.bus, beforeAsking: () => transactions.refuseInside('asking an agent'), log }),
    );
    closers.push(() => bus.drain());
    refuseOpenBus(bus, options.allowOpenBus, log);

    const reader = new Reader(database.pool);
    const platform = new PlatformScope(transactions, reader);
    const tenant = new TenantScope(transactions, reader);
    const metrics = new Metrics();
    const credentials = new AgentCredentials({ ...options.bus, log });
    const revocations = new BusRevocations(platform, credentials);
    const changes = new Announcements<AccessChange>(bus, transactions, 'access-changed');
    const commandEnds = new Announcements<CommandEnd>(bus, transactions, 'command-ended');
    const principals = new Principals(platform, changes);
    const apiKeys = new ApiKeyPrincipals(platform, changes, log);
    closers.push(() => apiKeys.close());
    const passwords = new Passwords(options.passwordHashesAtOnce ?? passwordHashesAtOnce);
    const tokens = new AccessTokens(options.jwtSecret);
    const reports = new AgentReports(platform, commandEnds, options.heartbeatIntervalSeconds);
    const agentAccess = new AgentAccess(platform);
    const mailOut = new MailOut(options.sealingSecret);
    const services = createServices({
      platform,
      agentAccess,
      lastingAccess: new LastingAccess(principals, apiKeys),
      bus,
      tenant,
      changes,
      commandEnds,
      credentials,
      principals,
      passwords,
      tokens,
      mailOut,
      sealingSecret: options.sealingSecret,
      agentSettings: {
        busUrls: options.bus.agentUrls,
        busPrefix: options.bus.prefix,
        heartbeatIntervalSeconds: options.heartbeatIntervalSeconds,
      },
      vitals: {
        pool: () => poolStateOf(database.pool),
        bus: () => busStateOf(bus),
      },
    });
    const contexts = new Contexts(services, tenant, transactions);
    const firstUser = await provideFirstUser(platform, passwords, options.bootstrap);

    if (roles.has('ingest')) {
      const heartbeats = new Heartbeats(database.pool, metrics, log);
      closers.push(
        startConsumers({
          backups: new BackupReports(platform),
          bus,
          reports,
          heartbeats,
          cutOff: (hostId) => agentAccess.cutOff(hostId),
          metrics,
          log,
        }),
      );
      closers.push(
        startPeriodic({
          name: 'find stale hosts',
          everyMs: (options.heartbeatIntervalSeconds * 1000) / 2,
          work: async () => {
            // While this replica could not hear them, their silence says nothing.
            const heardSince = Math.max(heartbeats.steadySince, bus.connectedSince);
            if (!bus.isConnected || Date.now() - heardSince < reports.staleMs) return;
            const stale = await reports.sweepStale();
            if (stale.length > 0) log.warn({ hosts: stale }, 'hosts went offline without a word');
          },
          log,
        }),
      );
    }
    let url: string | undefined;
    const publicUrl = () => options.publicUrl ?? url ?? addressOf(options.host, options.port);
    if (roles.has('jobs')) {
      const mailer = createMailer(options.mail, log);
      closers.push(async () => mailer.close());
      const postman = new Postman({ platform, transactions, mailOut, mailer, publicUrl, log });
      const banLifting = new BanLifting(platform, tenant);
      const relay = new CommandRelay(platform, bus, commandEnds, log);
      const resets = new PasswordResets(platform, mailOut);
      const schedules = new DueSchedules(platform, contexts, log);
      await revocations
        .publish()
        .catch((error: unknown) => log.warn({ err: error }, 'revocations could not be published'));
      closers.push(
        await startJobs({
          databaseUrl,
          services: {
            backupRotation: new BackupRotation(contexts),
            banLifting,
            platform,
            postman,
            relay,
            resets,
            revocations,
            schedules,
          },
          transactions,
          log,
        }),
      );
    }
    if (roles.has('api')) {
      const app = createApp({
        contexts,
        security: createSecurity({ tokens, principals, apiKeys, agents: services.agents }),
        idempotency: new IdempotencyKeys(platform, log),
        limits: new Limiter({
          pool: database.pool,
          accounts: new Accounts(platform),
          factor: options.rateLimitFactor ?? 1,
        }),
        corsOrigins: options.corsOrigins ?? [],
        trustProxy: options.trustProxy ?? 0,
        metrics,
        log,
        validateReplies: options.validateReplies,
        ...(options.contract && { contract: options.contract }),
        checkReady: async () => {
          if (!bus.isConnected) throw new Error('the message bus is away');
          await database.pool.query('select 1');
        },
      });
      const server = createServer({ shouldUpgradeCallback: asksForWebSocket }, app);
      const closeConsoles = startConsoleGateway({
        server,
        tickets: services.console,
        principals,
        changes,
        bus,
        metrics,
        log,
      });
      await naming('HOST or PORT', listen(server, options.host, options.port));
      closers.push(() => drain(server));
      closers.push(closeConsoles);
      const { port } = server.address() as AddressInfo;
      url = addressOf(options.host, port);
    }
    return { url, firstUser, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Names the setting that led to a failed connection, in the one line that ends the start. */
async function naming<T>(setting: string, connecting: Promise<T>): Promise<T> {
  try {
    return await connecting;
  } catch (error) {
    throw new ConfigError(`${setting}: ${Error.isError(error) ? error.message : 'the connection failed'}`, {
      cause: error,
    });
  }
}

function poolStateOf({
  totalCount,
  idleCount,
  waitingCount,
  options,
}: DatabaseConnection['pool']): PoolState {
  return { total: totalCount, idle: idleCount, waiting: waitingCount, most: options.max };
}

function busStateOf({ isConnected, connectedSince, isGuarded }: Bus): BusState {
  return { isConnected, connectedSince: new Date(connectedSince), isGuarded };
}

function refuseOpenBus(bus: Bus, allowOpenBus: boolean, log: Logger): void {
  if (bus.isGuarded) return;
  if (!allowOpenBus) {
    throw new ConfigError(
      'NATS_URL: the server checks no credentials; configure it with what npm run nats:config prints',
    );
  }
  log.warn('the message bus checks no credentials: whoever reaches it can pass for any agent');
}
