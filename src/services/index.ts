// The services that handlers reach through their Ctx.
import type { Logger } from 'pino';
import type { AgentRelease } from '../agent-release/agent-release.ts';
import type { AgentCredentials } from '../bus/agent-credentials.ts';
import type { Announcements } from '../bus/announcements.ts';
import type { Contexts } from '../context.ts';
import type { Bus } from '../bus/bus.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import type { PermissionsOfContract } from '../platform-contract/permissions.ts';
import type { ResellerScope, TenantScope } from '../database/tenant-scope.ts';
import type { PaymentSettings } from '../payments/settings.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { PluginKinds } from '../plugin-configs/registry.ts';
import type { Storage } from '../storage/storage.ts';
import { AdminEarlyAccess } from './admin-early-access.ts';
import { AdminHealth, type Vitals } from './admin-health/index.ts';
import { AdminJobs } from './admin-jobs.ts';
import { AdminLicenses } from './admin-licenses.ts';
import { AdminModules } from './admin-modules.ts';
import { AdminResellers } from './admin-resellers.ts';
import { AdminServers } from './admin-servers.ts';
import { AdminStats } from './admin-stats.ts';
import { AdminSubscriptions } from './admin-subscriptions.ts';
import { AdminUsers } from './admin-users.ts';
import { Enrolment } from './agents/enrolment.ts';
import { AgentUpdates } from './agents/updates.ts';
import { Agents, type AgentAccess, type AgentSettings } from './agents/index.ts';
import { Alerts } from './alerts/index.ts';
import { AlertConfigs } from './alerts/config.ts';
import { Analytics } from './analytics/index.ts';
import { ApiKeys } from './api-keys.ts';
import { AuditLog } from './audit.ts';
import { Administration } from './auth/administration.ts';
import type { AccessChanges } from './auth/access-changes.ts';
import type { AccessTokens } from './auth/access-tokens.ts';
import type { LastingAccess } from './auth/access-recheck.ts';
import { OwnSessions } from './auth/own-sessions.ts';
import { PasswordChanges } from './auth/password-changes.ts';
import type { Passwords } from './auth/passwords.ts';
import type { Principals } from './auth/principals.ts';
import { SecondFactor } from './auth/second-factor.ts';
import { Sessions } from './auth/index.ts';
import { SignIn } from './auth/sign-in.ts';
import { StepUps } from './auth/step-ups.ts';
import { Backups } from './backups/index.ts';
import { Clusters } from './clusters.ts';
import { Commands, type CommandEnd } from './commands/index.ts';
import { ConsoleCommands } from './console/commands.ts';
import { ConsoleTickets } from './console/index.ts';
import { EarlyAccess } from './early-access.ts';
import { EventLog, endsOfLogs } from './events/index.ts';
import { nextEvents } from './events/next-events.ts';
import { EventStreams } from './events/stream.ts';
import { EventTail } from './events/tail.ts';
import { DataConnections } from './files/data-connections.ts';
import { Files } from './files/index.ts';
import { Fleet } from './fleet.ts';
import { GameData } from './game-data.ts';
import { OwnLicense } from './license/index.ts';
import { Loot } from './loot.ts';
import type { MailOut } from '../mail/mail-out.ts';
import { Migration } from './migration/index.ts';
import { migrationParts } from './migration/parts/index.ts';
import { ManagedInstances } from './managed-instances/index.ts';
import { MapContents } from './maps/contents.ts';
import { MapDeployments } from './maps/deployments.ts';
import type { MapLinks } from './maps/links.ts';
import { Maps } from './maps/index.ts';
import type { SandboxSettings } from '../config/sandbox-settings.ts';
import type { Scanner } from './maps/scanner.ts';
import { MapUploads } from './maps/uploads.ts';
import { Modules } from './modules/index.ts';
import { NotificationChannels } from './notifications/index.ts';
import { NotificationLog } from './notifications/log.ts';
import type { Targets } from './notifications/targets.ts';
import { PermissionCatalog } from './permissions.ts';
import { Players } from './players/index.ts';
import { PluginApplications } from './plugin-applications/index.ts';
import type { FilesOfKinds } from './plugin-configs/files-of-kind.ts';
import { PluginConfigs } from './plugin-configs/index.ts';
import { PluginEvents } from './plugin-events/index.ts';
import { Plugins } from './plugins.ts';
import { PublicStatus } from './public-status/index.ts';
import { PublicStores } from './store/checkout/public-stores.ts';
import { FirstSecrets } from './resellers/first-secrets.ts';
import { ReleaseNotes } from './release-notes.ts';
import { Resellers } from './resellers/index.ts';
import type { SchemaCheck } from './resellers/provisioning.ts';
import { Roles } from './roles.ts';
import { Sandboxes } from './sandbox/index.ts';
import { SandboxClocks } from './sandbox/clock.ts';
import { SandboxEvents } from './sandbox/events.ts';
import { eventOf } from './sandbox/player-signs.ts';
import { SimulatedAgents } from '../sandbox/simulated-agents.ts';
import { StoredHosts } from '../sandbox/stored-hosts.ts';
import { Schedules } from './schedules/index.ts';
import { SiteConfigs } from './site-config.ts';
import { StoredFiles } from '../storage/stored-files.ts';
import { Invitations } from './team/invitations.ts';
import { Members } from './team/index.ts';
import { WebhookDeliveries } from './webhooks/deliveries.ts';
import type { WebhookSecrets } from './webhooks/secrets.ts';
import { Webhooks } from './webhooks/index.ts';
import { WebhookReplays } from './webhooks/replays.ts';
import { createStoreServices } from './store/index.ts';
import { licenseOfSubscription } from './store/settings/subscriptions.ts';
import { Wipes } from './wipes/index.ts';

export interface ServiceParts {
  log: Logger;
  bus: Bus;
  platform: PlatformScope;
  agentAccess: AgentAccess;
  agentRelease: AgentRelease;
  contexts: Contexts;
  lastingAccess: LastingAccess;
  tenant: TenantScope;
  changes: AccessChanges;
  commandEnds: Announcements<CommandEnd>;
  contractValues: SchemaCheck;
  permissions: PermissionsOfContract;
  credentials: AgentCredentials;
  principals: Principals;
  passwords: Passwords;
  tokens: AccessTokens;
  mailOut: MailOut;
  mapLinks: MapLinks;
  notificationTargets: Targets;
  outbound: Outbound;
  payments: PaymentSettings;
  /** The public URL of the platform. */
  publicUrl: () => string;
  /** The URLs of the customer panel and of the game server plugin. */
  addresses: () => { panelUrl: string; pluginDownloadUrl: string };
  resellerScope: ResellerScope;
  sandboxes: SandboxSettings;
  scanner: Scanner;
  pluginFiles: FilesOfKinds;
  pluginKinds: PluginKinds;
  storage: Storage;
  encryptionSecret: string;
  agentSettings: AgentSettings;
  vitals: Vitals;
  webhookSecrets: WebhookSecrets;
}

/** Open streams of events per process; each keeps a connection. */
const maxEventStreams = 5_000;

export type Services = ReturnType<typeof createServices>;

export function createServices(parts: ServiceParts) {
  const {
    platform,
    agentAccess,
    tenant,
    changes,
    commandEnds,
    credentials,
    principals,
    passwords,
    tokens,
    mailOut,
    mapLinks,
  } = parts;
  const gameData = new GameData();
  const pluginEvents = new PluginEvents();
  const pluginConfigs = new PluginConfigs(parts);
  const commands = new Commands(commandEnds);
  const agents = new Agents(platform, credentials, parts.agentSettings);
  const dataConnections = new DataConnections(parts, (hostId) => agents.keyOf(hostId));
  const files = new Files(parts, dataConnections, commands);
  const storedFiles = new StoredFiles(parts.storage);
  const maps = new Maps(storedFiles, mapLinks);
  const mapDeployments = new MapDeployments(commands, mapLinks);
  const wipes = new Wipes(parts.bus, mapDeployments);
  const webhooks = new Webhooks(parts.outbound, parts.webhookSecrets);
  const sessions = new Sessions(platform, passwords, tokens, changes);
  const administration = new Administration(platform);
  const eventTail = new EventTail({
    ends: (licenseIds) => platform.read('events', (queries) => endsOfLogs(queries, licenseIds)),
    read: async (licenseId, start) => {
      const next = await tenant.read(licenseId, (queries) =>
        nextEvents(queries, licenseId, { types: null }, start),
      );
      return next?.events;
    },
    log: parts.log,
  });
  const store = createStoreServices({
    ...parts,
    publicStores: new PublicStores(platform, parts.payments.allowsSandbox),
    licenseOfSubscription: (id) => platform.read('public', (queries) => licenseOfSubscription(queries, id)),
  });
  const secondFactor = new SecondFactor(platform, changes, parts.encryptionSecret);
  const stepUps = new StepUps(platform, passwords, secondFactor);
  const schedules = new Schedules(commands, wipes, stepUps);
  const simulatedHosts = new StoredHosts(platform);
  const simulatedAgents = new SimulatedAgents({
    hosts: simulatedHosts,
    bus: parts.bus,
    recordSigns: (licenseId, signs) =>
      parts.contexts.forJob('simulate-players', licenseId, (ctx) =>
        pluginEvents.takeAll(ctx, signs.map(eventOf)),
      ),
    log: parts.log,
  });
  return {
    adminEarlyAccess: new AdminEarlyAccess(administration),
    adminHealth: new AdminHealth(administration, parts.vitals),
    adminJobs: new AdminJobs(administration),
    adminLicenses: new AdminLicenses(administration, tenant, changes, agentAccess, mailOut, stepUps),
    adminModules: new AdminModules(administration, parts.publicUrl, parts.outbound),
    adminResellers: new AdminResellers(administration, parts.lastingAccess),
    adminServers: new AdminServers(administration),
    adminStats: new AdminStats(administration),
    adminSubscriptions: new AdminSubscriptions(administration),
    adminUsers: new AdminUsers(administration, changes),
    agents,
    alertConfigs: new AlertConfigs(),
    alerts: new Alerts(),
    analytics: new Analytics(),
    apiKeys: new ApiKeys(changes),
    audit: new AuditLog(administration, parts.lastingAccess),
    auth: sessions,
    backups: new Backups(commands, files),
    releaseNotes: new ReleaseNotes(platform),
    clusters: new Clusters(),
    commands,
    console: new ConsoleTickets(platform, principals, parts.encryptionSecret),
    consoleCommands: new ConsoleCommands(),
    earlyAccess: new EarlyAccess(platform),
    agentUpdates: new AgentUpdates(parts.agentRelease),
    enrolment: new Enrolment(parts),
    events: new EventLog(),
    eventStreams: new EventStreams({ ...parts, tail: eventTail, maxStreams: maxEventStreams }),
    dataConnections,
    files,
    fleet: new Fleet(parts.agentRelease),
    gameData,
    invitations: new Invitations(parts),
    license: new OwnLicense(agentAccess, parts.lastingAccess),
    loot: new Loot(pluginConfigs, gameData),
    mapContents: new MapContents(platform, tenant, storedFiles, mapLinks),
    mapDeployments,
    managedInstances: new ManagedInstances(),
    maps,
    mapUploads: new MapUploads({ ...parts, files: storedFiles, maps }),
    members: new Members(changes),
    migration: new Migration(migrationParts({ ...parts, webhooks }), parts.lastingAccess),
    modules: new Modules(commands, parts.publicUrl),
    notificationChannels: new NotificationChannels(parts.notificationTargets),
    notificationLog: new NotificationLog(),
    permissions: new PermissionCatalog(parts.permissions),
    players: new Players(commands, parts.bus),
    pluginApplications: new PluginApplications(),
    pluginConfigs,
    pluginEvents,
    plugins: new Plugins(parts, commands),
    publicStatus: new PublicStatus(platform),
    resellers: new Resellers({ ...parts, firstSecrets: new FirstSecrets(parts.encryptionSecret) }),
    roles: new Roles(changes),
    sandboxClocks: new SandboxClocks({ ...parts, schedules, agents: simulatedAgents, hosts: simulatedHosts }),
    sandboxEvents: new SandboxEvents({ ...store, agents: simulatedAgents, hosts: simulatedHosts }),
    sandboxes: new Sandboxes(parts),
    simulatedAgents,
    schedules,
    siteConfig: new SiteConfigs(),
    ...store,
    ownSessions: new OwnSessions(platform, changes),
    passwordChanges: new PasswordChanges(platform, passwords, changes),
    secondFactor,
    stepUps,
    signIn: new SignIn(platform, passwords, secondFactor, sessions),
    webhookDeliveries: new WebhookDeliveries(),
    webhookReplays: new WebhookReplays(),
    webhooks,
    wipes,
  };
}
