// The pages in the menu, grouped by work; each is offered to those who may read what it shows.
import { HardDrive, IdCard, Server, type LucideIcon } from 'lucide-react';
import type { LinkProps } from '@tanstack/react-router';
import { mayCall } from '../api/may.ts';
import type { Operation, Schemas } from '../api/operations.ts';
import type shell from '../texts/en/shell.json';

export interface PageLink {
  to: NonNullable<LinkProps['to']>;
  name: keyof (typeof shell)['pages'];
  icon: LucideIcon;
  /** The operation that the page reads with. */
  needs: Operation;
  /** Pages of a license are not shown without one. */
  isOfLicense?: boolean;
  /** The second key of the shortcut that begins with "g". */
  key?: string;
}

export interface PageGroup {
  /** Groups without a name stand first. */
  name?: keyof (typeof shell)['groups'];
  pages: readonly PageLink[];
}

const groups: readonly PageGroup[] = [
  {
    pages: [
      {
        to: '/servers',
        name: 'servers',
        icon: Server,
        needs: 'GET /api/fleet/instances',
        isOfLicense: true,
        key: 's',
      },
      {
        to: '/hosts',
        name: 'hosts',
        icon: HardDrive,
        needs: 'GET /api/fleet/hosts',
        isOfLicense: true,
        key: 'h',
      },
    ],
  },
  {
    name: 'sell',
    pages: [
      {
        to: '/license',
        name: 'license',
        icon: IdCard,
        needs: 'GET /api/license',
        isOfLicense: true,
        key: 'l',
      },
    ],
  },
];

/** The groups with the pages that the user may see. */
export function pagesFor(me: Schemas['CurrentUser']): PageGroup[] {
  return groups
    .map((group) => ({
      ...group,
      pages: group.pages.filter(
        ({ needs, isOfLicense }) => (isOfLicense !== true || me.license_id !== null) && mayCall(me, needs),
      ),
    }))
    .filter(({ pages }) => pages.length > 0);
}
