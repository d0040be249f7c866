// What a page is for while there is nothing on it, with the one action that begins it.
import type { LucideIcon } from 'lucide-react';
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** One or two sentences. */
  children: ReactNode;
  /** Stands above the list once it has entries. Until the list has loaded, show it in neither place: it would move from under the pointer. */
  action?: ReactNode;
  /** Whether it stands for the whole page, whose heading it then is. */
  isPage?: boolean;
}

export function EmptyState({ icon: Icon, title, children, action, isPage = false }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>
        <Icon size={22} aria-hidden="true" />
      </span>
      <Title order={isPage ? 1 : 2} size="h3">
        {title}
      </Title>
      <p className={classes.text}>{children}</p>
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}
