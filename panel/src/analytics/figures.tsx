// The main figures of a tab, in one row.
import classes from './analytics.module.css';

interface FiguresProps {
  label: string;
  figures: readonly (readonly [name: string, value: string, note?: string])[];
}

export function Figures({ label, figures }: FiguresProps) {
  return (
    <section className={classes.figures} aria-label={label}>
      <dl>
        {figures.map(([name, value, note]) => (
          <div key={name} className={classes.figure}>
            <dt>{name}</dt>
            <dd>
              {value}
              {note !== undefined && <span className={classes.note}>{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
