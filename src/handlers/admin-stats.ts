// Operations of the area `admin-stats`.
import type { Schemas } from '../platform-contract/types.ts';
import type { PlatformFigures } from '../services/admin-stats.ts';
import { viewMoney } from './admin-subscriptions.ts';
import type { Handlers } from './handlers.ts';

export const adminStats = {
  getPlatformStats: async (ctx) => viewFigures(await ctx.services.adminStats.get(ctx)),
} satisfies Partial<Handlers>;

function viewFigures(figures: PlatformFigures): Schemas['PlatformStats'] {
  const { licenses, users, hosts, instances, signups, revenue } = figures;
  return {
    licenses: { active: licenses.active, revoked: licenses.revoked, suspended: licenses.suspended },
    users: { total: users.total, disabled: users.disabled, super_admins: users.super_admins },
    monthly_recurring_revenue: revenue.map(viewMoney),
    servers: {
      hosts: hosts.total,
      online_hosts: hosts.online,
      instances: instances.total,
      running_instances: instances.running,
    },
    early_access_signups: signups.total,
    growth: {
      licenses: viewGrowth(licenses),
      users: viewGrowth(users),
      hosts: viewGrowth(hosts),
      early_access_signups: viewGrowth(signups),
    },
  };
}

const viewGrowth = ({ added, added_before }: { added: number; added_before: number }) => ({
  last_30_days: added,
  previous_30_days: added_before,
});
