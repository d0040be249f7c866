// What the roles of a process share: connections, scopes, and the services built on them.
import { Announcements } from '../bus/announcements.ts';
import { AgentCredentials } from '../bus/agent-credentials.ts';
import { Bus } from '../bus/bus.ts';
import { ConfigError, naming } from '../process/environment.ts';
import { platformDocument } from '../platform-contract/document-file.ts';
import { Contexts } from '../context.ts';
import { permissionsIn } from '../platform-contract/permissions.ts';
import type { SandboxSettings } from '../config/sandbox-settings.ts';
import { ContractValues } from '../contract/values.ts';
import { connectDatabase, type DatabaseConnection } from '../database/connection.ts';
import { migrate } from '../database/migrate.ts';
import { PlatformScope } from '../database/platform-scope.ts';
import { Reader } from '../database/reader.ts';
import { ResellerScope, TenantScope } from '../database/tenant-scope.ts';
import { SessionGenerations } from '../database/session-generations.ts';
import { Transactions } from '../database/transactions.ts';
import { WriteCheck } from '../database/write-check.ts';
import { addressOf } from '../process/http-listener.ts';
import { Metrics } from '../process/metrics.ts';
import { Outbound } from '../outbound/outbound.ts';
import { Readiness } from '../process/readiness.ts';
import type { Closers, PlatformOptions } from './options.ts';
import { Codec } from '../plugin-configs/codec/codec.ts';
import { pluginKinds } from '../plugin-configs/registry.ts';
import type { ConfigSchema } from '../plugin-configs/schema.ts';
import type { BusState, PoolState } from '../services/admin-health/index.ts';
import { HostScope } from '../services/agents/host-scope.ts';
import { AgentReports } from '../services/agents/reports.ts';
import { AgentAccess } from '../services/agents/index.ts';
import type { AccessChange } from '../services/auth/access-changes.ts';
import { AccessTokens } from '../services/auth/access-tokens.ts';
import { ApiKeyPrincipals } from '../services/auth/api-key-principals.ts';
import { DeprecatedUses } from '../services/auth/deprecated-uses.ts';
import { LastingAccess } from '../services/auth/access-recheck.ts';
import { Passwords } from '../services/auth/passwords.ts';
import { Principals } from '../services/auth/principals.ts';
import { BusRevocations } from '../services/agents/bus-revocations.ts';
import type { CommandEnd } from '../services/commands/index.ts';
import { FilesOfKinds } from '../services/plugin-configs/files-of-kind.ts';
import { createServices } from '../services/index.ts';
import { MailOut } from '../mail/mail-out.ts';
import { MapLinks } from '../services/maps/links.ts';
import { defaultPayments } from '../payments/settings.ts';
import { Targets } from '../services/notifications/targets.ts';
import { WebhookSecrets } from '../services/webhooks/secrets.ts';
import { noScanner } from '../services/maps/scanner.ts';
import { AgentRelease } from '../agent-release/agent-release.ts';
import { openReplica } from './replica.ts';
import { openProvenStorage } from './storage.ts';
import { WorkMonitor } from '../process/work-monitor.ts';

/** Argon2 takes a core for tens of milliseconds; more at once would starve the rest of the process. */
const passwordHashesAtOnce = 2;

const noSandboxes: SandboxSettings = { isEnabled: false, maxCount: 0 };

/** Opens what every role needs. Opened resources are added to the closers, even if a later one fails. */
export async function openParts(options: PlatformOptions, closers: Closers) {
  const { databaseUrl, log, poolSize } = options;
  const generations = new SessionGenerations();
  const database = await connectDatabase({
    url: databaseUrl,
    generations,
    ...(poolSize !== undefined && { poolSize }),
    limits: options.databaseLimits,
    log,
  });
  closers.push(() => database.close());
  await migrate({ url: databaseUrl, limits: options.databaseLimits }, log);
  const monitor = new WorkMonitor(log, options.watchdog);
  closers.push(async () => monitor.close());
  const metrics = new Metrics();
  metrics.watchWork(monitor);
  metrics.watchLog(options.lostLogLines ?? (() => 0));
  const writes = new WriteCheck(database.pool, generations);
  const transactions = new Transactions(
    database.orm,
    log,
    monitor.progressed,
    (error) => writes.recordFailure(error),
    monitor,
  );
  const bus = await naming(
    'NATS_URL',
    Bus.connect({ ...options.bus, beforeAsking: () => transactions.refuseInside('asking an agent'), log }),
  );
  closers.push(() => bus.drain());
  refuseOpenBus(bus, options);

  const reader = new Reader(database.pool, monitor.progressed);
  const replica = openReplica({ ...options, database, reader, metrics, monitor }, closers);
  const platform = new PlatformScope(
    transactions,
    reader,
    (access) => {
      metrics.platformAccesses.inc({ ...access });
      const { operation, requestId } = transactions.attribution ?? {};
      log.debug({ ...access, operation, request_id: requestId }, 'work reaches the rows of every license');
    },
    replica,
  );
  const tenant = new TenantScope(transactions, reader, replica);
  const credentials = new AgentCredentials({ ...options.bus, log });
  const revocations = new BusRevocations(platform, credentials);
  const changes = new Announcements<AccessChange>(bus, transactions, 'access-changed');
  const commandEnds = new Announcements<CommandEnd>(bus, transactions, 'command-ended');
  const principals = new Principals(platform, changes);
  const apiKeys = new ApiKeyPrincipals(platform, changes, log);
  closers.push(() => apiKeys.close());
  const deprecatedUses = new DeprecatedUses(platform, log);
  closers.push(() => deprecatedUses.close());
  const passwords = new Passwords(options.passwordHashesAtOnce ?? passwordHashesAtOnce);
  const tokens = new AccessTokens(options.jwtSecret);
  const hosts = new HostScope(platform, tenant);
  const reports = new AgentReports(hosts, commandEnds);
  const agentAccess = new AgentAccess(platform);
  const mailOut = new MailOut(options.encryptionSecret);
  const listening: { url: string | undefined } = { url: undefined };
  const publicUrl = () => options.publicUrl ?? listening.url ?? addressOf(options.host, options.port);
  const mapLinks = new MapLinks(options.encryptionSecret, publicUrl);
  const agentRelease = new AgentRelease(options.agentReleaseDirectory, log);
  const storage = await openProvenStorage(options, database.pool);
  closers.push(async () => storage.close());
  const outbound = new Outbound(options.outbound ?? { allow: [], allowsHttp: false }, () =>
    transactions.refuseInside('sending something out'),
  );
  closers.push(() => outbound.close());
  const notificationTargets = new Targets(options.encryptionSecret, outbound);
  const webhookSecrets = new WebhookSecrets(options.encryptionSecret);
  const { components } = options.contract?.document ?? platformDocument();
  const kinds = pluginKinds(components['schemas'] as Record<string, ConfigSchema>, options.pluginKinds);
  const codec = new Codec();
  closers.push(() => codec.close());
  const pluginFiles = new FilesOfKinds(codec);
  const addresses = () => ({
    panelUrl: options.panelUrl ?? (options.panel === undefined ? `${publicUrl()}/api/docs` : publicUrl()),
    pluginDownloadUrl: `${publicUrl()}/api/plugin/download`,
  });
  const contexts = new Contexts(tenant, transactions);
  const services = createServices({
    contexts,
    log,
    addresses,
    publicUrl,
    platform,
    resellerScope: new ResellerScope(transactions, reader),
    agentAccess,
    agentRelease,
    lastingAccess: new LastingAccess(principals, apiKeys),
    bus,
    tenant,
    changes,
    commandEnds,
    contractValues: new ContractValues({ components }),
    permissions: permissionsIn(platformDocument()),
    credentials,
    principals,
    passwords,
    tokens,
    mailOut,
    mapLinks,
    notificationTargets,
    outbound,
    pluginFiles,
    pluginKinds: kinds,
    payments: options.payments ?? defaultPayments,
    sandboxes: options.sandboxes ?? noSandboxes,
    scanner: options.scanner ?? noScanner,
    storage,
    encryptionSecret: options.encryptionSecret,
    agentSettings: {
      busUrls: options.bus.agentUrls,
      busPrefix: options.bus.prefix,
      heartbeatIntervalSeconds: options.heartbeatIntervalSeconds,
    },
    vitals: {
      pool: () => poolStateOf(database.pool),
      bus: () => busStateOf(bus),
      mailTransport: options.mail.smtpUrl === undefined ? 'files' : 'smtp',
    },
    webhookSecrets,
  });
  return {
    agentAccess,
    agentRelease,
    apiKeys,
    bus,
    changes,
    commandEnds,
    contexts,
    database,
    deprecatedUses,
    generations,
    hosts,
    listening,
    mailOut,
    mapLinks,
    metrics,
    monitor,
    notificationTargets,
    outbound,
    passwords,
    platform,
    pluginFiles,
    pluginKinds: kinds,
    principals,
    publicUrl,
    readiness: new Readiness({
      checkDatabase: () => writes.check(),
      checkBus: () => bus.checkReachable(),
      monitor,
      log,
    }),
    reports,
    revocations,
    services,
    storage,
    tenant,
    tokens,
    transactions,
    webhookSecrets,
  };
}

export type Parts = Awaited<ReturnType<typeof openParts>>;

function refuseOpenBus(bus: Bus, { allowOpenBus, log }: PlatformOptions): void {
  if (bus.isGuarded) return;
  if (!allowOpenBus) {
    throw new ConfigError(
      'NATS_URL: the server checks no credentials; configure it with what npm run -s nats:config prints',
    );
  }
  log.warn('the message bus checks no credentials: any client that reaches it can pass for any agent');
}

function poolStateOf({
  totalCount,
  idleCount,
  waitingCount,
  options,
}: DatabaseConnection['pool']): PoolState {
  return { total: totalCount, idle: idleCount, waiting: waitingCount, max: options.max };
}

function busStateOf({ isConnected, connectedSince, isGuarded }: Bus): BusState {
  return { isConnected, connectedSince: new Date(connectedSince), isGuarded };
}
