// A titled part of a page.
import { Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import classes from './section.module.css';

interface SectionProps {
  title: string;
  /** The description under its title. */
  lead?: ReactNode;
  /** Placed at the right of the title. */
  aside?: ReactNode;
  tone?: 'plain' | 'warning' | 'danger';
  children?: ReactNode;
}

export function Section({ title, lead, aside, tone = 'plain', children }: SectionProps) {
  const titleId = useId();
  return (
    <section className={classes.section} data-tone={tone} aria-labelledby={titleId}>
      <div className={classes.head}>
        <Title order={2} size="h4" id={titleId} tabIndex={-1}>
          {title}
        </Title>
        {aside}
      </div>
      {lead !== undefined && <p className={classes.lead}>{lead}</p>}
      {children}
    </section>
  );
}
