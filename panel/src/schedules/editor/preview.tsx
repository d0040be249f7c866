// The next runs of what is being edited, as the platform computes them.
import { useDebouncedValue } from '@mantine/hooks';
import { Section } from '@gantry/ui/section.tsx';
import { faultText } from '../../api/fault-text.ts';
import { problemOf } from '../../api/problem.ts';
import { useRead } from '../../api/reading.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { useTexts } from '../../texts/texts.ts';
import { cronOf } from '../cron-pattern.ts';
import { useCronWords } from '../cron-words.ts';
import { NextRuns } from '../next-runs.tsx';
import classes from '../schedules.module.css';
import { countdownOf, type ScheduleValues } from './values.ts';

/** How long typing pauses before the platform is asked. */
const pauseMs = 300;

export function usePreview({ pattern, timeZone, action }: ScheduleValues) {
  const countdown = countdownOf(action);
  // Without a message of its own, a stop is announced in other words than the preview's.
  const isAnnounced = countdown !== null && (action.kind === 'restart' || countdown.message !== undefined);
  const wanted = JSON.stringify({
    cron: cronOf(pattern),
    time_zone: timeZone,
    ...(isAnnounced && {
      announce_before_seconds: countdown.announce_before_seconds.join(','),
      ...(countdown.message !== undefined && { message: countdown.message }),
    }),
  });
  const [settled] = useDebouncedValue(wanted, pauseMs);
  const query = JSON.parse(settled) as { cron: string; time_zone: string };
  const asked = useRead('/api/schedule-preview', { params: { query } });
  return { ...asked, query };
}

export type Preview = ReturnType<typeof usePreview>;

/** What the platform objects to in the expression and in the time zone. */
export function usePreviewFaults({ error }: Preview): { cron: string | undefined; zone: string | undefined } {
  const t = useTexts('schedules');
  const faults = problemOf(error)?.errors ?? [];
  const cron = faults.find(({ pointer }) => pointer === '/cron');
  const zone = faults.find(({ pointer }) => pointer === '/time_zone');
  return {
    // The contract counts characters; people count parts.
    cron:
      cron &&
      (cron.keyword === undefined
        ? t('timing.cronFault', { detail: cron.detail })
        : t('timing.cronParts', { example: '30 4 * * *' })),
    zone: zone && faultText(zone),
  };
}

export function PreviewSection({ preview }: { preview: Preview }) {
  const t = useTexts('schedules');
  const cronWords = useCronWords();
  const { query } = preview;
  const isRefused = problemOf(preview.error)?.status === 400;
  return (
    <Section title={t('nextRuns')}>
      {isRefused ? (
        <p className="hint">{t('timing.noPreview')}</p>
      ) : (
        <Loaded asked={preview} waitingFor={t('nextRuns')}>
          {({ next_runs, announcements }) => (
            <>
              <p className={classes.words}>
                {cronWords(query.cron)}
                <span>
                  {query.time_zone} · <code>{query.cron}</code>
                </span>
              </p>
              <NextRuns runs={next_runs} announcements={announcements} timeZone={query.time_zone} />
            </>
          )}
        </Loaded>
      )}
    </Section>
  );
}
