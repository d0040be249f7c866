// The schedules of one server.
import { getRouteApi } from '@tanstack/react-router';
import { CalendarClock, Plus } from 'lucide-react';
import { useMay } from '../api/may.ts';
import { usePages } from '../api/reading.ts';
import { ButtonLink } from '../shared/button-link.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { useTexts } from '../texts/texts.ts';
import { ScheduleTable } from './schedule-table.tsx';
import classes from './schedules.module.css';

const route = getRouteApi('/frame/licensed/servers/$instanceId/schedules');

export function InstanceSchedules() {
  const t = useTexts('schedules');
  const { instanceId } = route.useParams();
  const { sort } = route.useSearch();
  const navigate = route.useNavigate();
  const mayCreate = useMay('POST /api/schedules');
  const schedules = usePages(
    '/api/schedules',
    { params: { query: { instance_id: instanceId } } },
    { all: true },
  );
  const add = (
    <ButtonLink
      to="/schedules/new"
      search={{ server: instanceId }}
      leftSection={<Plus size={16} aria-hidden="true" />}
    >
      {t('add')}
    </ButtonLink>
  );
  return (
    <Loaded
      asked={{ ...schedules, data: schedules.items }}
      waitingFor={t('title')}
      skeleton={<TableSkeleton rows={4} />}
    >
      {(items) =>
        items.length === 0 ? (
          <EmptyState icon={CalendarClock} title={t('empty.title')} {...(mayCreate && { action: add })}>
            {t('empty.detail')}
          </EmptyState>
        ) : (
          <div className="stack">
            <div className={classes.bar}>
              <span className="dim">{t('count', { count: items.length })}</span>
              {mayCreate && add}
            </div>
            <ScheduleTable
              schedules={items}
              sort={sort}
              onSort={(next) => void navigate({ search: { sort: next }, replace: true })}
            />
          </div>
        )
      }
    </Loaded>
  );
}
