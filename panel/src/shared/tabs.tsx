// The tabs of an area: links, so that each has an address.
import { Link, type LinkProps } from '@tanstack/react-router';
import { mayCall } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import type { Operation } from '../api/operations.ts';
import classes from './tabs.module.css';

export interface AreaTab {
  to: NonNullable<LinkProps['to']>;
  name: string;
  /** The operation that the page reads with. */
  needs: Operation;
  /** The tab of the area's own address is current only there. */
  isExact?: boolean;
}

interface TabsProps {
  label: string;
  tabs: readonly AreaTab[];
  /** Values of the parameters in the tabs' paths. */
  params?: Record<string, string>;
}

export function Tabs({ label, tabs, params }: TabsProps) {
  const me = useMe();
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs
        .filter(({ needs }) => mayCall(me, needs))
        .map(({ to, name, isExact = false }) => (
          <Link
            key={to}
            to={to}
            {...(params !== undefined && { params })}
            className={classes.tab}
            activeOptions={{ exact: isExact, includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
          >
            {name}
          </Link>
        ))}
    </nav>
  );
}
