// The way back to the list that a page belongs to.
import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import classes from './back-link.module.css';

interface BackLinkProps {
  to: NonNullable<LinkProps['to']>;
  /** Values of the parameters in the path. */
  params?: Record<string, string>;
  children: string;
}

export function BackLink({ to, params, children }: BackLinkProps) {
  return (
    <Link to={to} {...(params !== undefined && { params })} className={classes.back}>
      <ChevronLeft size={15} aria-hidden="true" />
      {children}
    </Link>
  );
}
