// The columns of the list of alerts.
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useMay } from '../api/may.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { AcknowledgeButton } from './acknowledge-button.tsx';
import type { Alert } from './alert-search.ts';
import { useAlertWords } from './alert-words.ts';
import classes from './alerts.module.css';
import { Severity } from './severity.tsx';

interface AlertColumnsProps {
  /** A list of open alerts needs no column that says so. */
  showsState: boolean;
  pendingId: string | null;
  onAcknowledge: (alertId: string, isAcknowledged: boolean) => void;
}

export function useAlertColumns({
  showsState,
  pendingId,
  onAcknowledge,
}: AlertColumnsProps): readonly Column<Alert>[] {
  const t = useTexts('alerts');
  const words = useAlertWords();
  const mayAcknowledge = useMay('PATCH /api/alerts/{alert_id}');
  return useMemo((): Column<Alert>[] => {
    const columns: Column<Alert>[] = [
      {
        key: 'alert',
        header: t('columns.alert'),
        width: 'minmax(220px, 3fr)',
        phone: 'title',
        cell: (alert) => (
          <span className={classes.twoLines}>
            <Link to="/alerts/$alertId" params={{ alertId: alert.id }}>
              {words.headline(alert)}
            </Link>
            <span className={classes.message}>{words.message(alert)}</span>
          </span>
        ),
      },
      {
        key: 'severity',
        header: t('columns.severity'),
        width: '100px',
        phone: 'aside',
        cell: ({ severity, ended_at }) => <Severity severity={severity} isOver={ended_at !== null} />,
      },
      {
        key: 'raised',
        header: t('columns.raised'),
        width: '110px',
        phone: 'line',
        cell: ({ raised_at, reopened_at }) => <Time at={reopened_at ?? raised_at} isFocusable={false} />,
      },
      {
        key: 'state',
        header: t('columns.state'),
        width: 'minmax(110px, 1fr)',
        phone: 'line',
        cell: (alert) => (
          <>
            {words.state(alert)}
            {alert.ended_at !== null && (
              <>
                {' '}
                <Time at={alert.ended_at} isFocusable={false} />
              </>
            )}
          </>
        ),
      },
      {
        key: 'acknowledged',
        header: t('columns.acknowledged'),
        width: 'minmax(140px, 1fr)',
        phone: 'line',
        cell: (alert) => {
          if (alert.acknowledged_at !== null)
            return alert.acknowledged_by ?? <Time at={alert.acknowledged_at} isFocusable={false} />;
          if (!mayAcknowledge || alert.ended_at !== null) return '–';
          return (
            <AcknowledgeButton alert={alert} isPending={pendingId === alert.id} onPress={onAcknowledge} />
          );
        },
      },
    ];
    return columns.filter(({ key }) => showsState || key !== 'state');
  }, [t, words, mayAcknowledge, showsState, pendingId, onAcknowledge]);
}
