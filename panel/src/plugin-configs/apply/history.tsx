// Earlier applications of the configuration, of all users, newest first.
import { Link } from '@tanstack/react-router';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import { LoadMore } from '../../shared/load-more.tsx';
import { Time } from '../../shared/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import classes from './apply.module.css';
import { OutcomeDetail, OutcomeState, type Application } from './outcome.tsx';

interface HistoryProps {
  applications: readonly Application[];
  servers: readonly Schemas['GameInstance'][];
  pages: {
    isComplete: boolean;
    items: readonly unknown[] | undefined;
    hasNextPage: boolean;
    isReadingMore: boolean;
    fetchNextPage: () => unknown;
  };
}

export function History({ applications, servers, pages }: HistoryProps) {
  const t = useTexts('plugin-configs');
  const mayRestore = useMay('GET /api/instances/{instance_id}/backups');
  const known = new Set(servers.map(({ id }) => id));
  return (
    <Section title={t('history.title')}>
      {applications.length === 0 && pages.isComplete && <p className="hint">{t('history.none')}</p>}
      {applications.length > 0 && <p className="hint">{t('history.former')}</p>}
      <ul className={classes.history} aria-label={t('history.title')}>
        {applications.map((application) => (
          <li key={application.id} className={classes.result}>
            <span className={classes.resultName}>
              <ServerName id={application.instance_id} servers={servers} />
              {application.config_version !== null && (
                <span className="dim"> {t('apply.version', { version: application.config_version })}</span>
              )}
            </span>
            <OutcomeState application={application} />
            <p className={classes.detail}>
              <Time at={application.created_at} />
              {application.requested_by !== null && ` · ${application.requested_by}`}
              {mayRestore && known.has(application.instance_id) && (
                <>
                  {' · '}
                  <Link to="/servers/$instanceId/backups" params={{ instanceId: application.instance_id }}>
                    {t('history.backups')}
                  </Link>
                </>
              )}
            </p>
            <OutcomeDetail application={application} />
          </li>
        ))}
      </ul>
      {!pages.isComplete && pages.items !== undefined && (
        <p className="hint">{t('history.latest', { count: pages.items.length })}</p>
      )}
      <LoadMore pages={pages} />
    </Section>
  );
}

function ServerName({ id, servers }: { id: string; servers: HistoryProps['servers'] }) {
  const t = useTexts('plugin-configs');
  const server = servers.find((each) => each.id === id);
  if (server === undefined) return <span className="dim">{t('history.goneServer')}</span>;
  return (
    <Link to="/servers/$instanceId" params={{ instanceId: id }}>
      {server.name}
    </Link>
  );
}
