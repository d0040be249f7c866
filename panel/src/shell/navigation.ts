// The pages in the menu, grouped by work; each is offered to those who may read what it shows.
import {
  Activity,
  BellRing,
  Blocks,
  Boxes,
  BriefcaseBusiness,
  Building2,
  CalendarClock,
  CalendarDays,
  ChartColumn,
  CreditCard,
  Gauge,
  HardDrive,
  IdCard,
  KeyRound,
  KeySquare,
  MailPlus,
  Map as MapIcon,
  Network,
  ScrollText,
  Server,
  SlidersHorizontal,
  Sparkles,
  Store,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import type { LinkProps } from '@tanstack/react-router';
import { mayCall } from '../api/may.ts';
import type { Operation, Schemas } from '../api/operations.ts';
import type shell from '../texts/en/shell.json';

export interface PageLink {
  to: NonNullable<LinkProps['to']>;
  name: keyof (typeof shell)['pages'];
  icon: LucideIcon;
  /** The operation that the page reads with; one of several is enough. */
  needs: Operation | readonly Operation[];
  /** Pages of a license are not shown without one. */
  isOfLicense?: boolean;
  /** The page of a group's own address is current only there. */
  isExact?: boolean;
  /** The second key of the shortcut that begins with "g". */
  key?: string;
}

export interface PageGroup {
  /** Groups without a name stand first. */
  name?: keyof (typeof shell)['groups'];
  pages: readonly PageLink[];
}

const ofLicense = (
  to: PageLink['to'],
  name: PageLink['name'],
  icon: LucideIcon,
  needs: PageLink['needs'],
  key?: string,
): PageLink => ({ to, name, icon, needs, isOfLicense: true, ...(key !== undefined && { key }) });

const groups: readonly PageGroup[] = [
  {
    pages: [
      ofLicense('/servers', 'servers', Server, 'GET /api/fleet/instances', 's'),
      ofLicense('/hosts', 'hosts', HardDrive, 'GET /api/fleet/hosts', 'h'),
      ofLicense('/clusters', 'clusters', Boxes, 'GET /api/fleet/clusters', 'c'),
    ],
  },
  {
    name: 'operate',
    pages: [
      ofLicense('/calendar', 'calendar', CalendarDays, ['GET /api/schedules', 'GET /api/wipes']),
      ofLicense('/schedules', 'schedules', CalendarClock, 'GET /api/schedules'),
      ofLicense('/maps', 'maps', MapIcon, 'GET /api/maps'),
      ofLicense('/plugin-configs', 'pluginConfigs', SlidersHorizontal, 'GET /api/plugin-configs/{kind}', 'p'),
      ofLicense('/alerts', 'alerts', BellRing, 'GET /api/alerts', 'a'),
    ],
  },
  {
    name: 'insight',
    pages: [ofLicense('/analytics', 'analytics', ChartColumn, 'GET /api/analytics/players', 'y')],
  },
  {
    name: 'sell',
    pages: [
      ofLicense('/webstore', 'store', Store, 'GET /api/webstore/config'),
      ofLicense('/status-page', 'statusPage', Activity, 'GET /api/site-config'),
      ofLicense('/modules', 'modules', Blocks, 'GET /api/modules'),
    ],
  },
  {
    name: 'manage',
    pages: [
      // Everyone may see and end their own membership.
      ofLicense('/team', 'team', Users, 'DELETE /api/team/membership', 't'),
      ofLicense('/api-keys', 'apiKeys', KeyRound, 'GET /api/api-keys'),
      ofLicense('/webhooks', 'webhooks', Webhook, 'GET /api/webhooks', 'w'),
      ofLicense('/events', 'events', Activity, 'GET /api/events', 'e'),
      ofLicense('/audit', 'audit', ScrollText, 'GET /api/audit'),
      ofLicense('/license', 'license', IdCard, 'GET /api/license', 'l'),
    ],
  },
  {
    name: 'platform',
    pages: [
      {
        to: '/platform',
        name: 'platformOverview',
        icon: Gauge,
        needs: 'GET /api/admin/stats',
        isExact: true,
      },
      {
        to: '/platform/licenses',
        name: 'platformLicenses',
        icon: KeySquare,
        needs: 'GET /api/admin/licenses',
      },
      { to: '/platform/users', name: 'platformUsers', icon: Users, needs: 'GET /api/admin/users' },
      { to: '/platform/hosts', name: 'platformHosts', icon: Network, needs: 'GET /api/admin/servers' },
      {
        to: '/platform/resellers',
        name: 'platformResellers',
        icon: Building2,
        needs: 'GET /api/admin/resellers',
      },
      {
        to: '/platform/subscriptions',
        name: 'platformSubscriptions',
        icon: CreditCard,
        needs: 'GET /api/admin/subscriptions',
      },
      {
        to: '/platform/modules',
        name: 'platformModules',
        icon: Blocks,
        needs: 'GET /api/admin/modules',
      },
      {
        to: '/platform/release-notes',
        name: 'platformReleaseNotes',
        icon: Sparkles,
        needs: 'GET /api/admin/release-notes',
      },
      {
        to: '/platform/early-access',
        name: 'platformEarlyAccess',
        icon: MailPlus,
        needs: 'GET /api/admin/early-access',
      },
      { to: '/platform/jobs', name: 'platformJobs', icon: BriefcaseBusiness, needs: 'GET /api/admin/jobs' },
      { to: '/platform/audit', name: 'platformAudit', icon: ScrollText, needs: 'GET /api/admin/audit' },
    ],
  },
];

/** The groups with the pages that the user may see. */
export function pagesFor(me: Schemas['CurrentUser']): PageGroup[] {
  return groups
    .map((group) => ({
      ...group,
      pages: group.pages.filter(
        ({ needs, isOfLicense }) =>
          (isOfLicense !== true || me.license_id !== null) &&
          [needs].flat().some((operation) => mayCall(me, operation)),
      ),
    }))
    .filter(({ pages }) => pages.length > 0);
}
