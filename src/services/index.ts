// The services that handlers reach through their Ctx.
import type { AgentCredentials } from '../bus/agent-credentials.ts';
import type { Announcements } from '../bus/announcements.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import type { TenantScope } from '../database/tenant-scope.ts';
import { AdminEarlyAccess } from './admin-early-access.ts';
import { AdminHealth, type Vitals } from './admin-health.ts';
import { AdminLicenses } from './admin-licenses.ts';
import { AdminServers } from './admin-servers.ts';
import { AdminStats } from './admin-stats.ts';
import { AdminSubscriptions } from './admin-subscriptions.ts';
import { AdminUsers } from './admin-users.ts';
import { AgentAccess, Agents, type AgentSettings } from './agents.ts';
import { ApiKeys } from './api-keys.ts';
import { AuditLog } from './audit.ts';
import type { AccessChanges } from './auth/access-changes.ts';
import type { AccessTokens } from './auth/access-tokens.ts';
import type { Passwords } from './auth/passwords.ts';
import type { Principals } from './auth/principals.ts';
import { Sessions } from './auth/sessions.ts';
import { Clusters } from './clusters.ts';
import { Commands, type CommandEnd } from './commands.ts';
import { ConsoleTickets } from './console/tickets.ts';
import { Fleet } from './fleet.ts';
import type { MailOut } from './mail.ts';

export interface ServiceParts {
  platform: PlatformScope;
  tenant: TenantScope;
  changes: AccessChanges;
  commandEnds: Announcements<CommandEnd>;
  credentials: AgentCredentials;
  principals: Principals;
  passwords: Passwords;
  tokens: AccessTokens;
  mailOut: MailOut;
  agentSettings: AgentSettings;
  vitals: Vitals;
}

export type Services = ReturnType<typeof createServices>;

export function createServices(parts: ServiceParts) {
  const { platform, tenant, changes, commandEnds, credentials, principals, passwords, tokens, mailOut } =
    parts;
  return {
    adminEarlyAccess: new AdminEarlyAccess(platform),
    adminHealth: new AdminHealth(platform, parts.vitals),
    adminLicenses: new AdminLicenses(platform, tenant, changes, new AgentAccess(), mailOut),
    adminServers: new AdminServers(platform),
    adminStats: new AdminStats(platform),
    adminSubscriptions: new AdminSubscriptions(platform),
    adminUsers: new AdminUsers(platform, changes),
    agents: new Agents(platform, credentials, parts.agentSettings),
    apiKeys: new ApiKeys(changes),
    audit: new AuditLog(platform),
    auth: new Sessions(platform, passwords, tokens, changes),
    clusters: new Clusters(),
    commands: new Commands(commandEnds),
    console: new ConsoleTickets(platform, principals),
    fleet: new Fleet(),
  };
}
