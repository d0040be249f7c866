// The services that handlers reach through their Ctx.
import type { AdminLicenses } from './admin-licenses.ts';
import type { Agents } from './agents.ts';
import type { Sessions } from './auth/sessions.ts';
import type { Clusters } from './clusters.ts';
import type { Commands } from './commands.ts';
import type { ConsoleTickets } from './console/tickets.ts';
import type { Fleet } from './fleet.ts';

export interface Services {
  adminLicenses: AdminLicenses;
  agents: Agents;
  auth: Sessions;
  clusters: Clusters;
  commands: Commands;
  console: ConsoleTickets;
  fleet: Fleet;
}
