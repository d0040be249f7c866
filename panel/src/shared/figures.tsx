// Figures in a row, each with what it is made of.
import type { ReactNode } from 'react';
import classes from './figures.module.css';

export interface Figure {
  name: string;
  value: string;
  detail?: ReactNode;
  tone?: 'bad';
}

export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <section className={classes.figures} aria-label={label}>
      <dl>
        {figures.map(({ name, value, detail, tone }) => (
          <div key={name} className={classes.figure} data-tone={tone}>
            <dt>{name}</dt>
            <dd>
              {value}
              {detail !== undefined && <span className={classes.figureDetail}>{detail}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
