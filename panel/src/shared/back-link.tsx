// The way back to the list that a page belongs to.
import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import classes from './back-link.module.css';

export function BackLink({ to, children }: { to: NonNullable<LinkProps['to']>; children: string }) {
  return (
    <Link to={to} className={classes.back}>
      <ChevronLeft size={15} aria-hidden="true" />
      {children}
    </Link>
  );
}
