// Who was on the server at a chosen moment.
import { CloseButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Section } from '@gantry/ui/section.tsx';
import { usePages } from '../api/reading.ts';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './stats.module.css';

interface PlayersThenProps {
  instanceId: string;
  at: string;
  onClose: () => void;
}

/** Sessions without any sign for longer have ended. */
const lookBackMs = 24 * 3_600_000;

export function PlayersThen({ instanceId, at, onClose }: PlayersThenProps) {
  const t = useTexts('stats');
  const formats = useFormats();
  const sessions = usePages(
    '/api/analytics/sessions',
    {
      params: {
        query: {
          instance_id: instanceId,
          from: new Date(Date.parse(at) - lookBackMs).toISOString(),
          // Sessions that began at that very moment count.
          to: new Date(Date.parse(at) + 1).toISOString(),
        },
      },
    },
    { all: true },
  );
  const there = sessions.items?.filter(
    ({ ended_at, is_start_known }) =>
      is_start_known && (ended_at === null || Date.parse(ended_at) > Date.parse(at)),
  );
  return (
    <Section
      title={t('then.title', { time: formats.dateTime(at) })}
      aside={<CloseButton aria-label={t('then.close')} onClick={onClose} />}
    >
      <Loaded
        asked={{ ...sessions, data: sessions.isComplete ? there : undefined }}
        waitingFor={t('then.label')}
      >
        {(items) =>
          items.length === 0 ? (
            <p className="hint">{t('then.none')}</p>
          ) : (
            <>
              <p className="hint">{t('then.count', { count: items.length })}</p>
              <ul className={classes.names}>
                {items.map(({ steam_id, display_name, started_at }) => (
                  <li key={`${steam_id} ${started_at}`}>
                    <Link
                      to="/servers/$instanceId/players/$steamId"
                      params={{ instanceId, steamId: steam_id }}
                    >
                      {display_name ?? steam_id}
                    </Link>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
