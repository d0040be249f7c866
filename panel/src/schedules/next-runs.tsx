// The next runs of a schedule in its time zone, and in the viewer's where that differs.
import type { Schemas } from '../api/operations.ts';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './schedules.module.css';
import { useZonedTime, viewerZone } from './zoned-times.ts';

interface NextRunsProps {
  runs: readonly string[];
  announcements: readonly Schemas['ScheduledAnnouncement'][];
  timeZone: string;
}

export function NextRuns({ runs, announcements, timeZone }: NextRunsProps) {
  const t = useTexts('schedules');
  const zoned = useZonedTime(timeZone);
  const own = useZonedTime(viewerZone());
  const [first] = runs;
  return (
    <ol className={classes.runs} aria-label={t('nextRuns')}>
      {runs.map((at) => (
        <li key={at} className={classes.run}>
          <span className={classes.runAt}>{zoned(at)}</span>
          <span className={classes.runElse} data-zone={zoned(at) !== own(at) || undefined}>
            {zoned(at) !== own(at) && `${t('yourTime', { time: own(at) })} · `}
            <Time at={at} isFocusable={false} />
          </span>
          {at === first && <Announced announcements={announcements.filter(({ run_at }) => run_at === at)} />}
        </li>
      ))}
    </ol>
  );
}

function Announced({ announcements }: { announcements: NextRunsProps['announcements'] }) {
  const t = useTexts('schedules');
  if (announcements.length === 0) return null;
  return (
    <ul className={classes.announced} aria-label={t('announcements')}>
      {announcements.map(({ at, text }) => (
        <li key={at}>{text}</li>
      ))}
    </ul>
  );
}
