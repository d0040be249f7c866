// A share of a whole as a bar with its text.
import classes from './meter.module.css';

interface MeterProps {
  /** 0 to 100. */
  percent: number;
  text: string;
}

/** Above these percentages the bar warns. */
const busyFrom = 80;
const badFrom = 92;

export function Meter({ percent, text }: MeterProps) {
  const tone = percent >= badFrom ? 'bad' : percent >= busyFrom ? 'busy' : 'plain';
  return (
    <span className={classes.meter} data-tone={tone}>
      <span className={classes.text}>{text}</span>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.bar} style={{ width: `${Math.min(100, Math.max(0, percent))}%` }} />
      </span>
    </span>
  );
}
