// The frame of one page: its title, what it is about, its main action, and the content.
import { Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import classes from './page.module.css';

interface PageProps {
  title: string;
  /** Beside the title, such as a state. */
  status?: ReactNode;
  /** One sentence under the title. */
  lead?: ReactNode;
  /** The main action, at the right. */
  action?: ReactNode;
  /** Above the title, such as the way back to a list. */
  above?: ReactNode;
  /** Narrow pages hold forms. */
  width?: 'full' | 'narrow';
  children: ReactNode;
}

export function Page({ title, status, lead, action, above, width = 'full', children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Gantry`;
  }, [title]);
  return (
    <div className={classes.page} data-width={width}>
      {above}
      <header className={classes.head}>
        <div className={classes.names}>
          <div className={classes.titles}>
            <Title order={1} className={classes.title ?? ''}>
              {title}
            </Title>
            {status}
          </div>
          {lead !== undefined && <p className={classes.lead}>{lead}</p>}
        </div>
        {action !== undefined && <div className={classes.action}>{action}</div>}
      </header>
      {children}
    </div>
  );
}
