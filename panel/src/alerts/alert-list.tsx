// The alerts of the license: the open ones first, and what became of the others.
import { Alert as Notice, Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { BellOff, CircleCheck, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { useMay } from '../api/may.ts';
import { usePages } from '../api/reading.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { useTexts } from '../texts/texts.ts';
import { useAcknowledge } from './acknowledge-button.tsx';
import { useAlertColumns } from './alert-columns.tsx';
import { AlertFilters } from './alert-filters.tsx';
import { isNarrowed, noFilters, queryOf, type Alert } from './alert-search.ts';
import { useAlertWords } from './alert-words.ts';

const route = getRouteApi('/frame/licensed/alerts/');

const keyOf = ({ id }: Alert) => id;

export function AlertList() {
  const t = useTexts('alerts');
  const filters = route.useSearch();
  const query = useMemo(() => queryOf(filters, serverNow()), [filters]);
  const alerts = usePages('/api/alerts', { params: { query } }, { keepsFormer: true });
  const count = alerts.items?.length ?? 0;
  return (
    <>
      <NoChannels />
      <AlertFilters
        {...(count > 0 && { count: alerts.isComplete ? t('count', { count }) : t('countMore', { count }) })}
      />
      <Loaded
        asked={{ ...alerts, data: alerts.items }}
        waitingFor={t('title')}
        skeleton={<TableSkeleton rows={4} />}
      >
        {(items) => (items.length === 0 ? <NoAlerts /> : <AlertTable alerts={items} />)}
      </Loaded>
      <LoadMore pages={alerts} />
    </>
  );
}

function AlertTable({ alerts }: { alerts: readonly Alert[] }) {
  const t = useTexts('alerts');
  const words = useAlertWords();
  const { state } = route.useSearch();
  const { pendingId, set, error } = useAcknowledge();
  const columns = useAlertColumns({ showsState: state !== 'open', pendingId, onAcknowledge: set });
  return (
    <>
      <ProblemAlert error={error} />
      <DataTable
        label={t('title')}
        columns={columns}
        groups={[{ key: 'all', name: '', rows: alerts }]}
        keyOf={keyOf}
        nameOf={words.headline}
      />
    </>
  );
}

function NoAlerts() {
  const t = useTexts('alerts');
  const common = useTexts('common');
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  if (isNarrowed(filters))
    return (
      <EmptyState
        icon={SearchX}
        title={t('noMatch.title')}
        action={
          <Button
            variant="default"
            onClick={() => void navigate({ search: { ...noFilters, state: filters.state } })}
          >
            {common('actions.clearFilters')}
          </Button>
        }
      >
        {t('noMatch.detail')}
      </EmptyState>
    );
  const isOpen = filters.state === 'open';
  return (
    <EmptyState icon={CircleCheck} title={isOpen ? t('empty.title') : t('emptyPast.title')}>
      {isOpen ? t('empty.detail') : t('emptyPast.detail')}
    </EmptyState>
  );
}

/** Alerts that no one hears of are the most common reason for a long outage. */
function NoChannels() {
  const t = useTexts('alerts');
  const mayList = useMay('GET /api/notifications/channels');
  const mayCreate = useMay('POST /api/notifications/channels');
  const { items } = usePages('/api/notifications/channels', {}, { enabled: mayList && mayCreate });
  if (items === undefined || items.some(({ is_enabled }) => is_enabled)) return null;
  return (
    <Notice color="blue" icon={<BellOff size={18} />} title={t('noChannels.title')}>
      <p className="sentence">{t('noChannels.detail')}</p>
      <Button component={Link} to="/alerts/channels" size="xs" variant="default" mt={4}>
        {t('noChannels.action')}
      </Button>
    </Notice>
  );
}
