// The hours of the week as squares; days side by side on a phone, under each other elsewhere.
import type { Schemas } from '../api/operations.ts';
import { figure } from '../shared/charts/figure.ts';
import { useFormats } from '../shared/formats.ts';
import classes from './analytics.module.css';

interface HeatMapProps {
  hours: readonly Schemas['PeakHour'][];
  /** The highest figure, which has the full colour. */
  most: number;
  weekdays: readonly string[];
  summary: string;
}

const allHours = Array.from({ length: 24 }, (_, hour) => hour);

export function HeatMap({ hours, most, weekdays, summary }: HeatMapProps) {
  const format = figure(useFormats());
  const known = new Map(hours.map((each) => [`${each.weekday} ${each.hour}`, each.average_players]));
  return (
    <div className={classes.heat} role="img" aria-label={summary}>
      <span className={classes.corner} />
      {allHours.map((hour) => (
        <span key={hour} className={classes.hour}>
          {hour}
        </span>
      ))}
      {weekdays.map((name, index) => (
        <div key={name} className={classes.day}>
          <span className={classes.weekday}>{name}</span>
          {allHours.map((hour) => {
            const value = known.get(`${index + 1} ${hour}`);
            const share = value === undefined || most === 0 ? 0 : Math.round((value / most) * 100);
            return (
              <span
                key={hour}
                className={classes.cell}
                title={value === undefined ? '' : `${name} ${hour}:00 · ${format(value)}`}
                style={{ '--share': `${share}%` } as object}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}
