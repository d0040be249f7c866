// What happened to an alert, from the event log.
import { Section } from '@gantry/ui/section.tsx';
import { useRead } from '../api/reading.ts';
import { Loaded } from '../shared/loaded.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './alerts.module.css';

const names = ['raised', 'reopened', 'recovered', 'ended', 'acknowledged'] as const;
/** A flapping alert has more, the oldest of which say nothing new. */
const maxShown = 30;

export function AlertHistory({ alertId }: { alertId: string }) {
  const t = useTexts('alerts');
  const asked = useRead('/api/events', {
    params: { query: { subject_type: 'alert', subject_id: alertId, limit: maxShown } },
  });
  return (
    <Section title={t('detail.history')}>
      <Loaded asked={asked} waitingFor={t('detail.history')}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="hint">{t('detail.noHistory')}</p>
          ) : (
            <ul className={classes.history}>
              {data.map(({ id, type, occurred_at, actor }) => (
                <li key={id} className={classes.entry}>
                  <strong>{nameOf(type, t)}</strong>
                  <span className="dim">
                    <Time at={occurred_at} />
                  </span>
                  <span className={classes.by}>
                    {(actor?.kind === 'job' ? null : actor?.label) ?? t('detail.gantry')}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function nameOf(type: string, t: ReturnType<typeof useTexts<'alerts'>>): string {
  const name = names.find((each) => type === `alert.${each}`);
  return name === undefined ? type : t(`detail.events.${name}`);
}
