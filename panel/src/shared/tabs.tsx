// The tabs of an area: links, so that each has an address.
import { Link, useLocation, type LinkProps } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
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
  const strip = useRef<HTMLElement>(null);
  const pathname = useLocation({ select: (location) => location.pathname });
  useLayoutEffect(() => {
    // Moves the strip alone, not the page.
    const current = strip.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (strip.current === null || current === null || current === undefined) return;
    const { offsetLeft, offsetWidth } = current;
    strip.current.scrollLeft = offsetLeft + offsetWidth / 2 - strip.current.clientWidth / 2;
  }, [pathname]);
  return (
    <nav ref={strip} className={classes.tabs} aria-label={label}>
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
